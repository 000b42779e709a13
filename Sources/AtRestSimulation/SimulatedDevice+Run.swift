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
  /// ``strayCalls``: see ``useForProcess(as:)``.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``. The application's
  ///   keychain is opened again after ``restart()``.
  public func run<Result: ~Copyable>(
    as identity: ApplicationIdentity? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    var result: Result?
    let source = source(identity)
    let number = DefaultKeychain.willRun(source)
    defer { DefaultKeychain.didRun(number) }
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
    let number = DefaultKeychain.willRun(source)
    defer { DefaultKeychain.didRun(number) }
    return try await DefaultKeychain.$taskSource.withValue(
      source, operation: body, isolation: isolation)
  }

  /// Uses this device for all calls in the process that specify no keychain and are not made inside
  /// ``run(as:_:)``.
  ///
  /// The setting applies until another device replaces it or `DefaultKeychain.set(nil)` ends it.
  /// Use this method for code that switches to dispatch queues or threads, to which ``run(as:_:)``
  /// does not apply. Tests that call this method share one device, so they must not run at the same
  /// time. Put such tests into one suite that is `.serialized`, or put each test into an exit test.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``.
  public func useForProcess(as identity: ApplicationIdentity? = nil) {
    DefaultKeychain.set(source(identity))
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

  private func source(_ identity: ApplicationIdentity?) -> DefaultKeychain.Source {
    let identity = identity ?? Self.application
    return DefaultKeychain.Source(
      keychain: { try self.openKeychain(identity) },
      record: { call in self.log.withLock { $0.append(call) } },
      recordStray: { call in self.strayLog.withLock { $0.append(call) } }, device: self)
  }
}
