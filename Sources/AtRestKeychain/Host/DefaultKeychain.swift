import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// The keychain for calls that do not specify one, such as the calls of the module `Security`.
///
/// The first of these rules that applies selects the keychain:
///
/// 1. the simulated device on which the calling task runs. Outside such a task, a call of Keychain
///    Services with an `LAContext` uses the device on which the context was created, on any thread;
/// 2. the simulated device that a test uses for the process until its closure ends; otherwise the
///    keychain (``set(_:)``) or simulated device that the process chose last;
/// 3. in a process that has Swift Testing or XCTest loaded, or that created a simulated device: an
///    unlocked device in memory, whose user complies with every prompt except one for an
///    application password. A test therefore never reaches a real store by accident. If a testing
///    library is the cause, a notice in the log names the library. The name of the program does not
///    matter;
/// 4. the store of ``StoreLocation``. If the device remembers no store for this location, a store
///    without a passcode is created.
///
/// For rules 3 and 4, the environment determines the identity of the application:
///
/// | variable | value | default |
/// | --- | --- | --- |
/// | `ATREST_APPLICATION_IDENTIFIER` | the application identifier | the bundle's, or the program's name |
/// | `ATREST_KEYCHAIN_ACCESS_GROUPS` | access groups, separated by commas | none |
/// | `ATREST_APPLICATION_GROUPS` | application groups, separated by commas | none |
///
/// Safe to use from several threads.
public enum DefaultKeychain {
  /// Uses a keychain for all calls in this process that do not specify one.
  ///
  /// ```swift
  /// let keybag = try StoreLocation(store: "/var/lib/app/store").openKeybag()
  /// try keybag.unlock(passcode: passcode)
  /// DefaultKeychain.set(try Keychain.open(keybag, identity: ApplicationIdentity("com.example.app")))
  /// ```
  ///
  /// - Parameter keychain: The keychain. nil withdraws the choice, so that the other rules of
  ///   ``DefaultKeychain`` apply.
  public static func set(_ keychain: Keychain?) { choose(keychain.map { .keychain($0) }) }

  /// Uses a simulated device for all calls in this process that do not specify a keychain, on any
  /// queue or thread.
  package static func set(_ source: Source) { choose(.source(source)) }

  /// Forgets the keychain that was chosen or opened, and the device's record of the store that
  /// belongs in the folder of ``StoreLocation``.
  ///
  /// The device remembers the store, so that no empty store replaces a store that was removed or
  /// whose disk is not mounted. After a reset, the next use of the default keychain accepts the
  /// store that is in the folder, or creates a store. A reset changes no store.
  ///
  /// - Throws: The errors of `StoreLocation.forgetStore()`.
  public static func reset() throws {
    set(nil)
    try StoreLocation().forgetStore()
  }

  private static func choose(_ choice: Choice?) {
    state.withLock {
      $0.chosen = choice
      $0.opened = nil
    }
  }

  /// Uses a simulated device for all calls in this process that do not specify a keychain, until a
  /// closure ends.
  ///
  /// Waits until no other task does so; those that wait have their turns in order. Inside the closure
  /// of another use, the device replaces the other one until the inner closure ends. What ``set(_:)``
  /// chooses in the meantime applies when the outermost closure has ended.
  ///
  /// - Throws: `CancellationError` if the task is canceled while it waits, and the errors of `body`.
  package static func use<Result>(
    _ source: Source, isolation: isolated (any Actor)? = #isolation,
    whileRunning body: () async throws -> Result
  ) async throws -> Result {
    let number = try await begin(source, isolation: isolation)
    defer { end(number) }
    return try await $scope.withValue(number, operation: body, isolation: isolation)
  }

  /// The number of the innermost scope in which this task runs.
  @TaskLocal private static var scope: Int?

  private static func begin(
    _ source: Source, isolation: isolated (any Actor)?
  ) async throws -> Int {
    let parent = scope
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
  private static func end(_ number: Int) {
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

  /// Returns the keychain that calls of this task use now. Opens or creates the keychain if
  /// necessary.
  ///
  /// - Throws: ``AtRestError/Code/storeMissing`` if the folder does not contain the store that the
  ///   device remembers: see ``reset()``. Otherwise the errors of opening or creating the store.
  ///   After an error, the next call tries again.
  public static func get() throws -> Keychain { try get(for: nil, "DefaultKeychain.get") }

  /// Returns the keychain that a call with a context uses now.
  ///
  /// - Parameter function: The name of the call, which is reported if the call reaches no device.
  /// - Throws: The errors of ``get()``.
  package static func get(
    for holder: (any AuthenticationContextHolder)?, _ function: String
  ) throws -> Keychain {
    let route = route(for: holder)
    route.recordStray(KeychainCall(function: function, query: [:], status: 0))
    return try route.keychain()
  }

  /// Returns the keychain that is not of a simulated device.
  fileprivate static func shared() throws -> Keychain {
    try state.withLock { state in
      if case .keychain(let keychain) = state.chosen { return keychain }
      if let keychain = state.opened { return keychain }
      let keychain: Keychain
      if state.isSimulated {
        keychain = try makeInMemory()
      } else if let library = TestingLibrary.loaded {
        Keychain.logger.notice(
          "The default keychain is in memory: this process has a testing library loaded",
          metadata: ["library": "\(library.rawValue)"])
        keychain = try makeInMemory()
      } else {
        keychain = try openStore()
      }
      state.opened = keychain
      return keychain
    }
  }

  /// The source of a simulated device.
  package struct Source: Sendable {
    package let keychain: @Sendable () throws -> Keychain
    package let record: @Sendable (KeychainCall) -> Void
    /// Records a call that used no device, while this device was running an application.
    package let recordStray: @Sendable (KeychainCall) -> Void
    /// Identifies the device, which has a source for each application.
    let device: ObjectIdentifier?

    package init(
      keychain: @escaping @Sendable () throws -> Keychain,
      record: @escaping @Sendable (KeychainCall) -> Void,
      recordStray: @escaping @Sendable (KeychainCall) -> Void = { _ in }, device: AnyObject? = nil
    ) {
      self.device = device.map(ObjectIdentifier.init)
      self.keychain = keychain
      self.record = record
      self.recordStray = recordStray
    }
  }

  /// Returns the way from a call to its keychain, which does not change while the call runs.
  package static func route(for holder: (any AuthenticationContextHolder)? = nil) -> Route {
    if let taskSource { return Route(source: taskSource, missed: []) }
    let own = holder?.source
    guard own == nil || isDeviceRunning else { return Route(source: own, missed: []) }
    return state.withLock { state in
      var source = own
      if own == nil {
        switch state.current {
        case .source(let chosen): source = chosen
        // Whoever sets a keychain means it.
        case .keychain: return Route(source: nil, missed: [])
        case nil: break
        }
      }
      if let source, state.running.values.contains(where: { $0.device == source.device }) {
        return Route(source: source, missed: [])
      }
      return Route(source: source, missed: Array(state.running.values))
    }
  }

  /// Records that a simulated device begins to run an application.
  ///
  /// - Returns: The number for ``didRun(_:)``.
  package static func willRun(_ source: Source) -> Int {
    runCount.add(1, ordering: .relaxed)
    return state.withLock { state in
      state.nextRun += 1
      state.running[state.nextRun] = source
      return state.nextRun
    }
  }

  /// Records that a simulated device no longer runs an application.
  package static func didRun(_ number: Int) {
    state.withLock { $0.running[number] = nil }
    runCount.subtract(1, ordering: .relaxed)
  }

  /// True if a simulated device is running an application in this process.
  private static var isDeviceRunning: Bool { runCount.load(ordering: .relaxed) > 0 }

  /// The simulated device that calls of this task use now, or nil if they use no simulated device.
  package static var source: Source? {
    if let taskSource { return taskSource }
    guard case .source(let source) = state.withLock({ $0.current }) else { return nil }
    return source
  }
  @TaskLocal package static var taskSource: Source?

  /// Prevents calls in this process from opening a real store, unless ``set(_:)`` provides one.
  package static func keepFromRealStore() {
    state.withLock { state in
      guard !state.isSimulated else { return }
      state.isSimulated = true
      state.opened = nil
    }
  }

  private enum Choice {
    case keychain(Keychain)
    case source(Source)
  }
  private struct State {
    /// The choice that applies while no scope uses a device for the process.
    var chosen: Choice?
    /// The scopes that use a device for the process, the innermost last.
    var scopes: [Scope] = []
    /// The scopes that wait for their turn, in order.
    var waiting: [Waiter] = []
    var nextScope = 0
    var opened: Keychain?
    var isSimulated = false
    /// The simulated devices that run an application now.
    var running: [Int: Source] = [:]
    var nextRun = 0

    /// The choice that applies now.
    var current: Choice? { scopes.last.map { .source($0.source) } ?? chosen }

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
    let source: Source
  }

  private struct Waiter {
    let scope: Scope
    let continuation: CheckedContinuation<Void, any Error>
  }
  private static let state = Mutex(State())
  /// The number of ``State/running`` devices, which every call reads.
  private static let runCount = Atomic(0)

  // MARK: Creation

  private static func openStore() throws -> Keychain {
    let keybag = try StoreLocation().openOrMakeKeybag()
    if !keybag.hasPasscode { try keybag.unlock() }
    return try Keychain.open(keybag, identity: identity)
  }

  private static func makeInMemory() throws -> Keychain {
    let user = CompliantUser()
    let keybag = try Keybag.create(
      in: MemoryStorage(), device: MemoryDeviceKey(), passcode: user.knownPasscode,
      options: Keybag.Options(kdf: .forTesting))
    return try Keychain.open(
      keybag, in: Keychain.MemoryDatabase(), identity: identity, authenticator: user)
  }

  static var identity: ApplicationIdentity {
    let environment = ProcessInfo.processInfo.environment
    func groups(_ name: String) -> [String] {
      (environment[name] ?? "").split(separator: ",").map {
        $0.trimmingCharacters(in: .whitespaces)
      }.filter { !$0.isEmpty }
    }
    let named = environment["ATREST_APPLICATION_IDENTIFIER"].flatMap { $0.isEmpty ? nil : $0 }
    return ApplicationIdentity(
      named ?? Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName,
      keychainAccessGroups: groups("ATREST_KEYCHAIN_ACCESS_GROUPS"),
      applicationGroups: groups("ATREST_APPLICATION_GROUPS"))
  }
}

extension DefaultKeychain {
  /// The way from a call to its keychain.
  package struct Route: Sendable {
    /// The simulated device, or nil if the call uses none.
    package let source: Source?
    /// The devices that run an application, if the call uses none of them. It was probably meant for
    /// one of these.
    let missed: [Source]

    /// True if the call uses none of the devices that run an application.
    package var isStray: Bool { !missed.isEmpty }

    /// Returns the keychain.
    ///
    /// - Throws: The errors of ``DefaultKeychain/get()``.
    package func keychain() throws -> Keychain {
      try source?.keychain() ?? DefaultKeychain.shared()
    }

    /// Records a call of Keychain Services on its device, and a stray call on the devices that it
    /// missed.
    package func record(_ call: KeychainCall) {
      source?.record(call)
      recordStray(call)
    }

    /// Records a stray call on the devices that it missed, and does nothing for another call.
    package func recordStray(_ call: KeychainCall) {
      guard isStray else { return }
      Keychain.logger.warning(
        """
        \(call.function) was called on a thread or queue that does not use the simulated device that \
        runs. Call it in the task of SimulatedDevice.run, pass an LAContext that was created there, or \
        use SimulatedDevice.useForProcess. A device that an earlier test chose for the process is used \
        until DefaultKeychain.set(nil).
        """)
      for source in missed { source.recordStray(call) }
    }
  }
}

/// The user of the default keychain in memory. This user knows the passcode and has an enrolled
/// finger, but knows no application password.
private struct CompliantUser: Authenticator {
  let knownPasscode = SecretBox(SecretBytes.random(count: 16))

  var biometry: BiometryState { .enrolled(Data([1])) }
  func passcode(for request: AuthenticationRequest) -> SecretBytes {
    knownPasscode.bytes.duplicate()
  }
  func matchesBiometry(for request: AuthenticationRequest) -> Bool { true }
  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    throw AtRestError(
      .canceled, "The application password is unknown.",
      remedy: "Set it as a credential of the context.")
  }
}
