import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// The audit log: files of the owner with one line of JSON for each entry.
///
/// What programs without a grant can cause is in a file of its own, so they cannot move other entries out
/// of the log, and it is counted if there is too much of it. The entries of both files have one sequence
/// of numbers, so a gap shows that entries are missing.
package final class AuditLog: Sendable {
  /// The largest number of entries that are returned. To read more, read the files.
  static let mostReturned = 1000
  private static let longestSubject = 1024

  private struct State {
    let known: LogFile
    let refused: LogFile
    var shares = LogShares()
    var number: UInt64
  }

  private let state: Mutex<State>
  private let note: @Sendable (String) -> Void

  /// Opens the log in a folder, which is created if it does not exist.
  ///
  /// - Parameter note: Gets a text for the journal if an entry cannot be written.
  /// - Throws: ``AtRestError/Code/system`` if it cannot be opened.
  package init(in folder: URL, note: @escaping @Sendable (String) -> Void = { _ in }) throws {
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let known = try LogFile(folder.appendingPathComponent("agent.log").path)
    let refused = try LogFile(folder.appendingPathComponent("agent-refused.log").path)
    let last = [known, refused].flatMap { $0.last(1) }.compactMap(\.number).max()
    state = Mutex(State(known: known, refused: refused, number: (last ?? 0) + 1))
    self.note = note
  }

  /// Appends an entry.
  ///
  /// - Parameter isKnown: False for what a program without a grant can cause.
  /// - Throws: ``AtRestError/Code/system`` if it cannot be written.
  func append(_ entry: AgentLogEntry, isKnown: Bool = true) throws {
    do {
      try state.withLock { state in
        guard !isKnown else { return try Self.write(entry, to: state.known, &state.number) }
        try Self.write(state.shares.due(at: .now), &state)
        guard state.shares.admits(entry, at: .now) else { return }
        try Self.write(entry, to: state.refused, &state.number)
      }
    } catch {
      note("could not record \(entry.operation) \(entry.answer) of process \(entry.process)")
      throw error
    }
  }

  /// Writes the numbers of entries that were left out and whose time has come.
  ///
  /// - Parameter all: True to write all of them now.
  func flush(all: Bool = false) {
    state.withLock { state in try? Self.write(state.shares.due(at: .now, all: all), &state) }
  }

  private static func write(_ entries: [AgentLogEntry], _ state: inout State) throws {
    for entry in entries { try write(entry, to: state.refused, &state.number) }
  }

  private static func write(
    _ entry: AgentLogEntry, to file: LogFile, _ number: inout UInt64
  ) throws {
    var subject = entry.subject
    if subject.utf8.count > longestSubject {
      subject = String(decoding: subject.utf8.prefix(longestSubject), as: UTF8.self) + "…"
    }
    var entry = AgentLogEntry(
      time: entry.time, operation: entry.operation, subject: subject, evidence: entry.evidence,
      process: entry.process, answer: entry.answer)
    entry.number = number
    try file.append(line(entry))
    number += 1
  }

  /// Returns the last entries, the oldest first.
  func last(_ count: Int) -> [AgentLogEntry] {
    let count = min(count, Self.mostReturned)
    let (known, refused) = state.withLock { ($0.known, $0.refused) }
    let entries = (known.last(count) + refused.last(count)).sorted {
      ($0.number ?? 0) < ($1.number ?? 0)
    }
    return entries.suffix(count)
  }
}
