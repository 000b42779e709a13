import AtRestKeychain
import AtRestCrypto
import Foundation
import Synchronization

/// The audit log: a file of the owner with one line of JSON for each answer. When the file is full,
/// it becomes the older of two files.
public final class AuditLog: Sendable {
  private static let largest = 1 << 20

  private let path: String
  private let file: Mutex<Int32>

  /// Opens the log in a folder, which is created if it does not exist.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it cannot be opened.
  public init(in folder: URL) throws {
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = folder.appendingPathComponent("agent.log").path
    file = Mutex(try Self.open(path))
  }

  deinit { file.withLock { _ = close($0) } }

  private static func open(_ path: String) throws -> Int32 {
    let file = Foundation.open(
      path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw AtRestError(
        .system, "Could not open \(path): \(String(cString: strerror(errno))).",
        remedy: "Check the folder and its permissions.")
    }
    return file
  }

  /// Appends an entry.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it cannot be written.
  func append(_ entry: AgentLogEntry) throws {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let line = try encoder.encode(entry) + Data([10])
    try file.withLock { file in
      if lseek(file, 0, SEEK_END) > Self.largest {
        rename(path, path + ".1")
        let next = try Self.open(path)
        close(file)
        file = next
      }
      let count = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count == line.count else {
        throw AtRestError(
          .system, "Could not write to \(path): \(String(cString: strerror(errno))).",
          remedy: "Check the free space of the disk.")
      }
    }
  }

  /// Returns the last entries, the oldest first.
  func last(_ count: Int) -> [AgentLogEntry] {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    let texts = [path + ".1", path].map { FileManager.default.contents(atPath: $0) ?? Data() }
    let lines = texts.flatMap { $0.split(separator: 10) }.suffix(count)
    return lines.compactMap { try? decoder.decode(AgentLogEntry.self, from: Data($0)) }
  }
}
