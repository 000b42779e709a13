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
    let line = Self.line(entry)
    try file.withLock { file in
      if lseek(file, 0, SEEK_END) > Self.largest {
        rename(path, path + ".1")
        let next = try Self.open(path)
        close(file)
        file = next
      }
      let count = write(file, line, line.count)
      guard count == line.count else {
        throw AtRestError(
          .system, "Could not write to \(path): \(String(cString: strerror(errno))).",
          remedy: "Check the free space of the disk.")
      }
    }
  }

  /// Returns an entry as a line of JSON. Foundation's coder takes several times as long.
  static func line(_ entry: AgentLogEntry) -> [UInt8] {
    var line: [UInt8] = []
    line.reserveCapacity(512)
    func add(_ text: StaticString) {
      line.append(
        contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }
    func quote(_ text: String) {
      line.append(UInt8(ascii: "\""))
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): line += [UInt8(ascii: "\\"), byte]
        case 0..<32:
          line += "\\u00".utf8
          line += [48 + byte >> 4, byte & 15 < 10 ? 48 + byte & 15 : 87 + byte & 15]
        default: line.append(byte)
        }
      }
      line.append(UInt8(ascii: "\""))
    }
    add("{\"answer\":")
    quote(entry.answer)
    add(",\"evidence\":[")
    for (index, evidence) in entry.evidence.enumerated() {
      if index > 0 { add(",") }
      add("{\"kind\":")
      quote(evidence.kind.rawValue)
      add(",\"value\":")
      quote(evidence.value)
      add("}")
    }
    add("],\"operation\":")
    quote(entry.operation)
    add(",\"process\":")
    line += String(entry.process).utf8
    add(",\"subject\":")
    quote(entry.subject)
    add(",\"time\":")
    quote(Self.text(entry.time))
    add("}\n")
    return line
  }

  /// Returns a time in the form of ISO 8601, such as `2026-11-26T14:37:47Z`.
  private static func text(_ time: Date) -> String {
    var seconds = time_t(time.timeIntervalSince1970)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func digits(_ number: Int32, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    let date =
      "\(digits(parts.tm_year + 1900, 4))-\(digits(parts.tm_mon + 1, 2))-\(digits(parts.tm_mday, 2))"
    return
      "\(date)T\(digits(parts.tm_hour, 2)):\(digits(parts.tm_min, 2)):\(digits(parts.tm_sec, 2))Z"
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
