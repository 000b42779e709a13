import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// A file of lines. When it is full, it becomes the older of two files.
final class LogFile: Sendable {
  private static let largest = 1 << 20
  /// The bytes that are read for each entry that is wanted, in steps.
  private static let step = 64 << 10

  /// The number of lines at the end that may have been cut, as by a full disk.
  private static let mostCut = 16

  private struct State {
    var file: Int32
    /// True if the file ends with a whole line, as far as is known.
    var isWhole = false
  }

  private let path: String
  private let state: Mutex<State>

  init(_ path: String) throws {
    self.path = path
    state = Mutex(State(file: try Self.open(path)))
  }

  deinit { state.withLock { _ = close($0.file) } }

  private static func open(_ path: String) throws -> Int32 {
    let file = Foundation.open(
      path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      throw AtRestError(
        .system, "Could not open \(path): \(String(cString: strerror(errno))).",
        remedy: "Check the folder and its permissions.")
    }
    return file
  }

  /// Appends a line.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it cannot be written. A part of it does not stay.
  func append(_ line: [UInt8]) throws {
    try state.withLock { state in
      var size = lseek(state.file, 0, SEEK_END)
      if size > Self.largest {
        rename(path, path + ".1")
        let next = try Self.open(path)
        close(state.file)
        state = State(file: next)
        size = 0
      }
      var line = line
      // A line that was cut must not swallow this one.
      var last: UInt8 = 10
      if !state.isWhole, size > 0, pread(state.file, &last, 1, size - 1) == 1, last != 10 {
        line.insert(10, at: 0)
      }
      let count = write(state.file, line, line.count)
      state.isWhole = count == line.count
      guard state.isWhole else {
        let reason = String(cString: strerror(count < 0 ? errno : ENOSPC))
        if count > 0 { ftruncate(state.file, size) }
        throw AtRestError(
          .system, "Could not write to \(path): \(reason).",
          remedy: "Check the free space of the disk.")
      }
    }
  }

  /// Returns the last entries, the oldest first. Lines that are not entries are left out.
  func last(_ count: Int) -> [AgentLogEntry] {
    guard count > 0 else { return [] }
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    var entries: [AgentLogEntry] = []
    for path in [path, path + ".1"] where entries.count < count {
      let wanted = count - entries.count
      let lines = Self.lastLines(wanted + Self.mostCut, of: path)
      let decoded = lines.compactMap { try? decoder.decode(AgentLogEntry.self, from: $0) }
      entries = decoded.suffix(wanted) + entries
    }
    return entries
  }

  /// Returns the last lines of a file, of which only the end is read.
  private static func lastLines(_ count: Int, of path: String) -> [Data] {
    let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var start = lseek(file, 0, SEEK_END)
    var text = Data()
    var lines = 0
    // One more line than is wanted, because the first one may be cut.
    while start > 0, lines <= count, text.count <= 2 * Self.largest {
      let size = min(Int64(step), Int64(start))
      start -= off_t(size)
      var part = [UInt8](repeating: 0, count: Int(size))
      let got = pread(file, &part, part.count, start)
      guard got == part.count else { return [] }
      lines += part.count { $0 == 10 }
      text = part + text
    }
    var all = text.split(separator: 10)
    if start > 0 { all.removeFirst(min(1, all.count)) }
    return all.suffix(count).map { Data($0) }
  }
}
