import Synchronization

/// The work that protocols have each second.
final class RegularWork: Sendable {
  private let all = Mutex<[@Sendable () -> Void]>([])

  func add(_ body: @escaping @Sendable () -> Void) { all.withLock { $0.append(body) } }

  func carryOut() { for body in all.withLock({ $0 }) { body() } }
}
