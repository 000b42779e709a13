@_spi(Tools) import AtRestBus
import Synchronization

/// The calls to a bus whose replies are expected. Those about callers are bounded in number and time.
final class BusQuestions: Sendable {
  /// The reason for which a reply is expected.
  enum Question: Equatable {
    case activatableNames
    case name
    case caller(String)
  }

  /// The number of callers that may be unknown at the same time. The bus says in microseconds which program one is.
  private static let mostCallers = 64
  private static let timeForCaller = Duration.seconds(10)

  private struct State {
    var questions: [UInt32: Question] = [:]
    var ends: [UInt32: ContinuousClock.Instant] = [:]
  }

  private let state = Mutex(State())

  /// True if no other caller may be asked about.
  var isFull: Bool { state.withLock { $0.ends.count >= Self.mostCallers } }

  func add(_ question: Question, _ serial: UInt32) {
    state.withLock { state in
      state.questions[serial] = question
      if case .caller = question { state.ends[serial] = .now + Self.timeForCaller }
    }
  }

  /// Returns the question that a message answers.
  func take(_ message: BusMessage) -> Question? {
    state.withLock { state in
      guard let serial = message.answered else { return nil }
      state.ends[serial] = nil
      return state.questions.removeValue(forKey: serial)
    }
  }

  /// The time at which the next question is dropped.
  var end: ContinuousClock.Instant? { state.withLock { $0.ends.values.min() } }

  /// Drops the questions whose time is over, and returns the callers.
  func takeOverdue() -> [String] {
    state.withLock { state in
      let now = ContinuousClock.now
      return state.ends.filter { $0.value <= now }.keys.compactMap { serial in
        state.ends[serial] = nil
        guard case .caller(let name) = state.questions.removeValue(forKey: serial) else {
          return nil
        }
        return name
      }
    }
  }
}
