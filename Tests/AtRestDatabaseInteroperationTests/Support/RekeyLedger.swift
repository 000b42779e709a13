import Foundation
import Synchronization

/// What the writers of a test were told, and what went wrong.
final class RekeyLedger: Sendable {
  private struct State {
    var rows: Set<String> = []
    var faults: [String] = []
    var counts: [String: Int] = [:]
  }

  private let state = Mutex(State())

  /// A row that was acknowledged.
  func add(_ writer: Int, _ number: Int) {
    state.withLock { _ = $0.rows.insert("\(writer)/\(number)") }
  }

  func count(_ word: String) { state.withLock { $0.counts[word, default: 0] += 1 } }

  func fault(_ text: String) { state.withLock { $0.faults.append(text) } }

  /// True if there were rows and new keys.
  var hasEnough: Bool { state.withLock { $0.rows.count > 4 && $0.counts["rekey"] ?? 0 > 1 } }

  var rows: Set<String> { state.withLock { $0.rows } }
  var faults: [String] { state.withLock { $0.faults } }
  func number(_ word: String) -> Int { state.withLock { $0.counts[word] ?? 0 } }
  var words: String {
    state.withLock { state in
      state.counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
        separator: ", ")
    }
  }
}
