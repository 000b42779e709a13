import AtRestKeychain
import Synchronization

/// The simulated devices of this process, for ``DefaultKeychain``: the scopes that use a device for the
/// whole process, and the devices that run an application.
///
/// Safe to use from several threads.
final class ProcessDevices: SimulatedDevices {
  static let shared = ProcessDevices()

  private struct State {
    /// The scopes that use a device for the process, the innermost last.
    var scopes: [Scope] = []
    /// The scopes that wait for their turn, in order.
    var waiting: [Waiter] = []
    var nextScope = 0
    /// The devices that run an application now.
    var running: [Int: DefaultKeychain.Source] = [:]
    var nextRun = 0

    /// True if a scope may begin: it is directly inside the innermost scope, or there is none.
    func mayBegin(_ scope: Scope) -> Bool {
      let parent = scopes.last { $0.number == scope.parent }
      return parent?.number == scopes.last?.number
    }
  }

  /// A part of a task that uses a simulated device for the process.
  private struct Scope {
    let number: Int
    /// The scope in whose task this one begins. It may have ended.
    let parent: Int?
    let source: DefaultKeychain.Source
  }

  private struct Waiter {
    let scope: Scope
    let continuation: CheckedContinuation<Void, any Error>
  }

  private let state = Mutex(State())
  /// The number of ``State/running`` devices, which every call reads.
  private let runCount = Atomic(0)

  // MARK: Devices for the process

  /// The number of the innermost scope in which this task runs.
  @TaskLocal private static var scope: Int?

  /// Uses a device for all calls in this process that do not specify a keychain, until a closure ends.
  ///
  /// Waits until no other task does so; those that wait have their turns in order. Inside the closure of
  /// another use, the device replaces the other one until the inner closure ends. What
  /// ``DefaultKeychain`` is set to in the meantime applies when the outermost closure has ended.
  ///
  /// - Throws: `CancellationError` if the task is canceled while it waits, and the errors of `body`.
  func use<Result>(
    _ source: DefaultKeychain.Source, isolation: isolated (any Actor)? = #isolation,
    whileRunning body: () async throws -> Result
  ) async throws -> Result {
    let number = try await begin(source, isolation: isolation)
    defer { end(number) }
    return try await Self.$scope.withValue(number, operation: body, isolation: isolation)
  }

  private func begin(
    _ source: DefaultKeychain.Source, isolation: isolated (any Actor)?
  ) async throws -> Int {
    let parent = Self.scope
    let scope = state.withLock { state in
      state.nextScope += 1
      return Scope(number: state.nextScope, parent: parent, source: source)
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation(isolation: isolation) { continuation in
        let result: Swift.Result<Void, any Error>? = state.withLock { state in
          if state.mayBegin(scope) {
            state.scopes.append(scope)
            return .success(())
          }
          // The handler needs the lock. A cancellation after this line therefore finds the waiter.
          if Task.isCancelled { return .failure(CancellationError()) }
          state.waiting.append(Waiter(scope: scope, continuation: continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiting.firstIndex { $0.scope.number == scope.number }
          .map { state.waiting.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
    return scope.number
  }

  /// Ends a scope, and gives the turn to the next one under the same lock.
  private func end(_ number: Int) {
    let next: Waiter? = state.withLock { state in
      state.scopes.removeAll { $0.number == number }
      guard let index = state.waiting.firstIndex(where: { state.mayBegin($0.scope) }) else {
        return nil
      }
      let next = state.waiting.remove(at: index)
      state.scopes.append(next.scope)
      return next
    }
    next?.continuation.resume()
  }

  var sourceForProcess: DefaultKeychain.Source? {
    state.withLock { $0.scopes.last?.source }
  }

  // MARK: Running applications

  /// Records that a device begins to run an application.
  ///
  /// - Returns: The number for ``didRun(_:)``.
  func willRun(_ source: DefaultKeychain.Source) -> Int {
    runCount.add(1, ordering: .relaxed)
    return state.withLock { state in
      state.nextRun += 1
      state.running[state.nextRun] = source
      return state.nextRun
    }
  }

  /// Records that a device no longer runs an application.
  func didRun(_ number: Int) {
    state.withLock { $0.running[number] = nil }
    runCount.subtract(1, ordering: .relaxed)
  }

  func missed(by source: DefaultKeychain.Source?) -> [DefaultKeychain.Source] {
    guard runCount.load(ordering: .relaxed) > 0 else { return [] }
    let running = state.withLock { Array($0.running.values) }
    guard let source, running.contains(where: { $0.device == source.device }) else {
      return running
    }
    return []
  }
}
