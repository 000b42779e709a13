import AtRestKeychain

/// Running code that uses the default keychain, such as code that imports `Security` and
/// `LocalAuthentication`.
extension SimulatedDevice {
  /// Runs an application on this device. Its calls of Keychain Services and its contexts use this
  /// device only.
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
  /// The device applies to the calling task and to the tasks that it starts, so tests that run at the
  /// same time do not share a device. It does not apply to dispatch queues, threads and detached
  /// tasks. For these, see ``useForProcess(as:)``.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``. Its keychain is
  ///   opened again after a restart.
  public func run<Result: ~Copyable>(
    as identity: ApplicationIdentity? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    var result: Result?
    try DefaultKeychain.$taskSource.withValue(source(identity)) { result = try body() }
    return result.take()!
  }

  /// Runs an application on this device, asynchronously.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``.
  public func run<Result>(
    as identity: ApplicationIdentity? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await DefaultKeychain.$taskSource.withValue(
      source(identity), operation: body, isolation: isolation)
  }

  /// Makes this the device of all calls in the process that do not run on a device of their own.
  ///
  /// The setting applies until another device replaces it or `DefaultKeychain.set(nil)` ends it. Use it
  /// for code that switches to dispatch queues or threads, to which ``run(as:_:)`` does not apply.
  /// Tests that use it share one device, so they must not run at the same time. Put them into one
  /// suite that is `.serialized`, or each into an exit test.
  ///
  /// - Parameter identity: The application that runs, or nil for ``application``.
  public func useForProcess(as identity: ApplicationIdentity? = nil) {
    DefaultKeychain.set(source(identity))
  }

  /// The calls of Keychain Services that applications made on this device, in order.
  ///
  /// Calls of ``Keychain`` itself are not included.
  public var calls: [KeychainCall] { log.withLock { $0 } }

  /// Empties ``calls``.
  public func forgetCalls() { log.withLock { $0 = [] } }

  private func source(_ identity: ApplicationIdentity?) -> DefaultKeychain.Source {
    let identity = identity ?? Self.application
    return DefaultKeychain.Source(
      keychain: { try self.openKeychain(identity) },
      record: { call in self.log.withLock { $0.append(call) } })
  }
}
