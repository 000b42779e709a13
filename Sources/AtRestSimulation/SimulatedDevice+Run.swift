import AtRestCrypto
import AtRestKeychain

/// Running code that uses the default keychain, such as code that imports `Security` and
/// `LocalAuthentication`.
extension SimulatedDevice {
  /// Runs an application on this device. The application's calls of Keychain Services and its
  /// authentication contexts use only this device.
  ///
  /// ```swift
  /// let device = try SimulatedDevice(passcode: "1234")
  /// try device.run(as: ApplicationIdentity("com.example.app")) {
  ///   SecItemAdd(query as CFDictionary, nil)
  ///   device.lock()
  ///   #expect(SecItemCopyMatching(query as CFDictionary, &result) == errSecInteractionNotAllowed)
  /// }
  /// ```
  ///
  /// The device is used by the calling task and by the tasks that this task starts, so tests that
  /// run at the same time do not share a device. Dispatch queues, threads and detached tasks use the
  /// device only in calls with an `LAContext` that was created in `body`. Other calls there are
  /// ``strayCalls``: see ``useForProcess(as:isolation:_:)``.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``. The application's
  ///   keychain is opened again after ``restart()``.
  public func run<Result: ~Copyable>(
    as identity: ApplicationIdentity? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    var result: Result?
    let source = source(identity)
    let number = ProcessDevices.shared.willRun(source)
    defer { ProcessDevices.shared.didRun(number) }
    try DefaultKeychain.$taskSource.withValue(source) { result = try body() }
    return result.take()!
  }

  /// Runs an application on this device, asynchronously.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``.
  public func run<Result>(
    as identity: ApplicationIdentity? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    let source = source(identity)
    let number = ProcessDevices.shared.willRun(source)
    defer { ProcessDevices.shared.didRun(number) }
    return try await DefaultKeychain.$taskSource.withValue(
      source, operation: body, isolation: isolation)
  }

  /// Runs an application on this device. Meanwhile all calls in the process that specify no keychain
  /// use the device, on any queue or thread.
  ///
  /// ```swift
  /// try await device.useForProcess {
  ///   try await login.saveOnItsQueue("s3cr3t")
  ///   device.lock()
  ///   #expect(try await login.readOnItsQueue() == nil)
  /// }
  /// ```
  ///
  /// Only one such closure runs at a time in the process. Others wait for their turns in order, so
  /// tests that use this method may run in parallel. Inside the closure of another device, this device
  /// replaces the other one until the inner closure ends. A detached task that uses this method waits
  /// for the closure in which it began, so the closure must not wait for it.
  ///
  /// Calls in ``run(as:_:)`` of another device still use that device. Wait for the work on your queues
  /// before the closure ends: what runs later uses the device of the next closure.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``.
  /// - Returns: The result of `body`.
  /// - Throws: `CancellationError` if the task is canceled while it waits, and the errors of `body`.
  public func useForProcess<Result>(
    as identity: ApplicationIdentity? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async throws -> Result {
    try await ProcessDevices.shared.use(source(identity), isolation: isolation) {
      try await run(as: identity, isolation: isolation, body)
    }
  }

  /// Uses this device for all calls in the process that specify no keychain and are not made inside
  /// ``run(as:_:)``.
  ///
  /// This form is for tests that run one after another, such as those of one XCTest process: call it
  /// in `setUp`, and `DefaultKeychain.set(nil)` in `tearDown`. The setting applies until then, or until
  /// another device replaces it. Tests that run at the same time would share one device, also those of
  /// two suites that are `.serialized`: use the form with a closure, which waits for its turn. While
  /// such a closure runs, its device is used; the setting applies when it has ended.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``.
  public func useForProcess(as identity: ApplicationIdentity? = nil) {
    DefaultKeychain.set(source(identity))
  }

  /// The device that calls of the current task use if they specify no keychain.
  ///
  /// ```swift
  /// @Test(.phone) func isClosedInThePocket() throws {
  ///   try signIn()
  ///   try SimulatedDevice.current.lock()
  ///   #expect(token == nil)
  /// }
  /// ```
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` outside ``run(as:_:)`` and
  ///   ``useForProcess(as:isolation:_:)``, and outside a test with a trait of `KeychainTesting`.
  public static var current: SimulatedDevice {
    get throws {
      guard let device = DefaultKeychain.source?.owner as? SimulatedDevice else {
        throw AtRestError.invalid(
          "No simulated device runs the current task.",
          remedy: "Use SimulatedDevice.run, or a trait of KeychainTesting such as .phone.")
      }
      return device
    }
  }

  /// The calls of Keychain Services that applications made on this device, in order.
  ///
  /// Calls of ``Keychain`` itself are not included.
  public var calls: [KeychainCall] { log.withLock { $0 } }

  /// The calls of Keychain Services that used no simulated device while this device was running an
  /// application, in order. A call with an `LAContext` of a device that runs no application counts
  /// too.
  ///
  /// Such a call comes from a dispatch queue, a thread or a detached task, and works on another
  /// keychain. Each is also logged as a warning. A test of code that uses queues can assert that
  /// there are none, in a suite that is `.serialized` or in an exit test, because calls of other
  /// tests in the process count too:
  ///
  /// ```swift
  /// #expect(device.strayCalls.isEmpty)
  /// ```
  ///
  /// If several devices run applications at the same time, each of them records the call, because
  /// nothing shows for which device it was meant.
  public var strayCalls: [KeychainCall] { strayLog.withLock { $0 } }

  /// Empties ``calls`` and ``strayCalls``.
  public func forgetCalls() {
    log.withLock { $0 = [] }
    strayLog.withLock { $0 = [] }
  }

  /// Tells those who follow the device's means of authentication that they may have changed.
  func authenticationDidChange() {
    let current = DefaultKeychain.source
    environment.refresh(on: current?.owner === self ? current : source(nil))
  }

  private func source(_ identity: ApplicationIdentity?) -> DefaultKeychain.Source {
    let identity = identity ?? Self.application
    return DefaultKeychain.Source(
      keychain: { try self.openKeychain(identity) },
      record: { call in self.log.withLock { $0.append(call) } },
      recordStray: { call in self.strayLog.withLock { $0.append(call) } },
      environment: environment,
      groups: { (identity, self.state.withLock { $0.groups.url }) }, now: clock.date,
      owner: self)
  }
}
