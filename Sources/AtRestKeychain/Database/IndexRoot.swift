@_spi(Tools) import AtRestCrypto
import Foundation

/// Writes and reads the root of the index: row 0 of the table of nodes, with a copy in row -1.
///
/// Use it only while holding the connection's lock.
final class IndexRoot {
  private let keys: IndexKeys
  private let select: PreparedStatement
  private let upsert: PreparedStatement

  init(_ session: SessionStatements, keys: IndexKeys) throws {
    self.keys = keys
    select = try session.statement("SELECT box FROM node WHERE id IN (0, -1) ORDER BY id DESC")
    upsert = try session.statement(
      "INSERT OR REPLACE INTO node (id, box) VALUES (0, ?1), (-1, ?1)")
  }

  /// Returns the boxes of the root and its copy as they are in the table.
  func boxes() throws -> [Data] {
    var boxes: [Data] = []
    try select.run {
      boxes.append($0.data(0))
      return true
    }
    return boxes
  }

  /// Returns the words in a box, or nil if the box does not open.
  func words(in box: Data) -> [UInt64]? {
    guard box.count > 8 else { return nil }
    let counter = UInt64(bigEndian: box.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) })
    let words = box.dropFirst(8).withUnsafeBytes { bytes in
      try? keys.open(bytes, counter, Self.context("atrest.root.v1", counter))
    }
    let width = ItemIndex.Head.width + 1 + 2 * IndexNodes.Reference.width
    return words?.count == width ? words : nil
  }

  /// Seals the words of a root and writes them. Returns the box.
  func write(_ words: [UInt64], _ counter: UInt64) throws -> Data {
    var box = counter.contextBytes
    box += try keys.seal(words, counter, Self.context("atrest.root.v1", counter))
    try upsert.run(.blob(box))
    return box
  }

  /// Returns the context of a root or a change.
  static func context(_ label: String, _ counter: UInt64) -> [UInt8] {
    var writer = ByteWriter(capacity: 32)
    writer.fixed(utf8: label)
    writer.integer(counter)
    return writer.bytes
  }
}
