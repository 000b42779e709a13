import AtRestKeybag
import Foundation

/// The simulated devices, which the module `AtRestSimulation` has.
extension DefaultKeychain {
  /// The source of a simulated device.
  package struct Source: Sendable {
    package let keychain: @Sendable () throws -> Keychain
    package let record: @Sendable (KeychainCall) -> Void
    /// Records a call that used no device, while this device was running an application.
    package let recordStray: @Sendable (KeychainCall) -> Void
    /// The means of authentication of the device, which its sources share.
    package let environment: AuthenticationEnvironment
    /// Returns the application that runs, and the folder of the containers of application groups. nil stands for
    /// those of a process without a device.
    package let groups: (@Sendable () -> (ApplicationIdentity, URL))?
    /// Returns the time on the device's clock.
    package let now: @Sendable () -> Date
    /// The device, which has a source for each application.
    package let owner: (any AnyObject & Sendable)?
    /// Identifies the device.
    package var device: ObjectIdentifier? { owner.map { ObjectIdentifier($0) } }

    package init(
      keychain: @escaping @Sendable () throws -> Keychain,
      record: @escaping @Sendable (KeychainCall) -> Void,
      recordStray: @escaping @Sendable (KeychainCall) -> Void = { _ in },
      environment: AuthenticationEnvironment? = nil,
      groups: (@Sendable () -> (ApplicationIdentity, URL))? = nil,
      now: @escaping @Sendable () -> Date = { Date() },
      owner: (any AnyObject & Sendable)? = nil
    ) {
      self.groups = groups
      self.now = now
      self.environment =
        environment ?? AuthenticationEnvironment { .init(try keychain()) }
      self.owner = owner
      self.keychain = keychain
      self.record = record
      self.recordStray = recordStray
    }
  }

  /// The simulated device on which the calling task runs.
  @TaskLocal package static var taskSource: Source?

  /// The simulated device that calls of this task use now, or nil if they use no simulated device.
  package static var source: Source? {
    if let taskSource { return taskSource }
    guard case .source(let source) = choice else { return nil }
    return source
  }

  /// The time: that of the simulated device that calls of this task use, or the system's.
  package static var now: Date { source?.now() ?? Date() }

  /// The route from a call to its keychain.
  package struct Route: Sendable {
    /// The simulated device, or nil if the call uses none.
    package let source: Source?
    /// The devices that run an application, if the call uses none of them. It was probably meant for
    /// one of these.
    fileprivate var missed: [Source] = []

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

  /// Returns the route from a call to its keychain, which does not change while the call runs.
  package static func route(for holder: (any AuthenticationContextHolder)? = nil) -> Route {
    if let taskSource { return Route(source: taskSource) }
    var source = holder?.source
    if source == nil {
      switch choice {
      case .source(let chosen): source = chosen
      // Whoever sets a keychain means it.
      case .keychain: return Route(source: nil)
      case nil: break
      }
    }
    return Route(source: source, missed: devices?.missed(by: source) ?? [])
  }
}
