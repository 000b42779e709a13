import AtRestKeychain

/// Code that names no keychain, as that of `import Security` and `import LocalAuthentication` does.
extension SimulatedDevice {
  /// Runs an application on this device: its calls of Keychain Services and its contexts reach this
  /// device alone.
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
  /// Holds for the calling task and the tasks that it starts, so tests that run at the same time do
  /// not see one another's device. It does not hold on dispatch queues, threads and detached tasks:
  /// see ``useForProcess(as:)``.
  ///
  /// - Parameter identity: Who asks; nil: ``application``. The keychain is opened anew after a
  ///   restart.
  public func run<Result: ~Copyable>(
    as identity: ApplicationIdentity? = nil, _ body: () throws -> Result
  ) rethrows -> Result {
    var result: Result?
    try DefaultKeychain.$taskSource.withValue(source(identity)) { result = try body() }
    return result.take()!
  }

  /// Runs an application on this device, asynchronously.
  ///
  /// - Parameter identity: As in the synchronous form.
  public func run<Result>(
    as identity: ApplicationIdentity? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await DefaultKeychain.$taskSource.withValue(
      source(identity), operation: body, isolation: isolation)
  }

  /// Makes this the device of all calls in this process that run on no device of their own, until
  /// another takes its place or `DefaultKeychain.set(nil)` ends it.
  ///
  /// For code that hops onto dispatch queues or threads, where what ``run(as:_:)`` binds to a task
  /// does not follow. Tests that use it see one device, so they must not run at the same time: put
  /// them into one suite that is `.serialized`, or each into an exit test.
  ///
  /// - Parameter identity: Who asks; nil: ``application``.
  public func useForProcess(as identity: ApplicationIdentity? = nil) {
    DefaultKeychain.set(source(identity))
  }

  /// What applications asked of Keychain Services on this device, in order. Calls of ``Keychain``
  /// itself are not among it.
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
