import Synchronization

/// The streams that report the changes of a keychain.
final class ChangeWatchers: Sendable {
  private struct State {
    var next = 0
    var continuations: [Int: AsyncStream<KeychainChange>.Continuation] = [:]
  }
  private let state = Mutex(State())

  func stream() -> AsyncStream<KeychainChange> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: KeychainChange.self, bufferingPolicy: .bufferingNewest(4096))
    let number = state.withLock { state in
      state.next += 1
      state.continuations[state.next] = continuation
      return state.next
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.continuations.removeValue(forKey: number) }
    }
    return stream
  }

  func tell(_ change: KeychainChange) {
    for continuation in state.withLock({ Array($0.continuations.values) }) {
      continuation.yield(change)
    }
  }

  func finish() {
    for continuation in state.withLock({ Array($0.continuations.values) }) {
      continuation.finish()
    }
  }
}
