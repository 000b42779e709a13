@_spi(Tools) import AtRestCrypto
import AtRestFiles
import Crypto
import Foundation

/// Keys that are the same for every file, whatever its slots contain.
struct KnownFileKeys: FileKeys {
  static var key: SecretBytes { SecretBytes(Data(repeating: 7, count: 32)) }
  let slots: [KeySlot]

  func wrap(
    _ key: borrowing SecretBytes, protection: FileProtection?, name: String
  ) throws -> [KeySlot] { slots }
  func unwrap(_ slots: [KeySlot], name: String) throws -> SecretBytes { Self.key }
}

/// The parts of a protected file with the key of ``KnownFileKeys``, assembled as its owner could.
///
/// It is written from `docs/Formats.md`, and uses none of the code that is fuzzed.
struct ForgedFile {
  static let chunkSize = 1024
  private static let macCount = 32

  /// The header without its code.
  var head: Data
  /// The version table before it is sealed; nil for none.
  var table: Data?
  var contents: Data

  /// A file that was never changed: one slot of a store, one piece of contents.
  init(contents: Data) {
    var writer = ByteWriter()
    writer.fixed(utf8: "AtRestPF")
    writer.integer(UInt16(1))
    writer.integer(UInt8(1))
    writer.integer(UInt32(256))
    writer.integer(UInt32(Self.chunkSize))
    writer.fixed(Data(repeating: 5, count: 16))
    writer.integer(UInt64(0))
    writer.integer(UInt64(0))
    writer.integer(UInt8(1))
    writer.fixed([UInt8](repeating: 0, count: 12))
    writer.integer(UInt16(58))
    writer.fixed([1, 4])
    writer.fixed(Data(repeating: 3, count: 16 + 40))
    writer.fixed([UInt8](repeating: 0, count: 256 - Self.macCount - writer.bytes.count))
    head = writer.data
    self.contents = contents
  }

  /// Returns a table of runs, each with its first chunk, the salt's bytes and the counter.
  static func table(_ runs: [(first: UInt64, salt: UInt8, counter: UInt64)]) -> Data {
    var writer = ByteWriter()
    writer.integer(UInt32(runs.count))
    for run in runs {
      writer.integer(run.first)
      writer.fixed([UInt8](repeating: run.salt, count: 16))
      writer.integer(run.counter)
    }
    return writer.data
  }

  private var identity: Data { Self.part(head, 19..<35) }
  private static func part(_ data: Data, _ range: Range<Int>) -> Data {
    Data((data + Data(count: range.upperBound))[range])
  }

  /// Returns the header with its code, as long as it claims to be if that is allowed.
  static func authenticated(_ head: Data) -> Data {
    let claimed = Int(part(head, 11..<15).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    var body = head
    if (256...16_384).contains(claimed) {
      body = body.prefix(claimed - macCount)
      body += Data(count: claimed - macCount - body.count)
    }
    return body
      + KnownFileKeys.key.derive(Purpose("atrest.file.header.v1"))
      .authenticationCode(for: body)
  }

  func bytes() throws -> Data {
    var head = head
    var box = Data()
    if let table {
      var context = identity
      context += Self.part(head, 35..<43)
      box = try GCM.seal(
        Array(table),
        key: KnownFileKeys.key.derive(Purpose("atrest.file.table.v1")).symmetricKey(),
        context: Array(context))
      if head.count >= 51 {
        var writer = ByteWriter()
        writer.integer(UInt64(box.count))
        head.replaceSubrange(43..<51, with: writer.data)
      }
    }
    return Self.authenticated(head) + (try chunks()) + box
  }

  /// Returns the salt and counter that the table has for a chunk.
  private func version(of chunk: UInt64) -> (salt: Data, counter: UInt64) {
    var result = (salt: identity, counter: chunk)
    var runs = FuzzInput(Data((table ?? Data()).dropFirst(4)))
    while !runs.rest.isEmpty {
      let first = runs.integer(UInt64.self)
      let salt = runs.bytes(16)
      let counter = runs.integer(UInt64.self)
      guard first <= chunk, salt.count == 16 else { break }
      result = (salt, counter &+ (chunk - first))
    }
    return result
  }

  /// Returns the chunks, sealed as the table says.
  private func chunks() throws -> Data {
    var size = Int(Self.part(head, 15..<19).reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    if !(1_024...1_048_576).contains(size) { size = Self.chunkSize }
    var sealed = Data()
    var index: UInt64 = 0
    var rest = contents
    repeat {
      let (salt, counter) = version(of: index)
      let cipher = ChunkCipher(
        KnownFileKeys.key.derive(Purpose("atrest.file.chunks.v1"), salt: salt))
      let piece = Data(rest.prefix(size))
      rest = rest.dropFirst(size)
      var chunk = Data(count: piece.count + ChunkCipher.overhead)
      try chunk.withUnsafeMutableBytes { chunk in
        try piece.withUnsafeBytes {
          try cipher.seal(
            $0,
            place: ChunkCipher.Place(
              counter: counter, index: index, isLast: rest.isEmpty), into: chunk)
        }
      }
      sealed += chunk
      index += 1
    } while !rest.isEmpty
    return sealed
  }
}
