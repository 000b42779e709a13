import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import Synchronization

/// A device in memory, for tests: it locks, restarts, forgets a finger, loses its passcode or is
/// reinstalled on command.
///
/// The keychain over it is the real one on a database in memory; nothing of it can reach a real
/// store, and no two devices see one another.
///
/// ```swift
/// let device = try SimulatedDevice(passcode: "1234")
/// let keychain = try device.keychain()
/// try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
/// device.lock()
/// #expect(throws: AtRestError.self) { _ = try keychain.secret(for: token).count }
/// ```
///
/// Safe to use from several threads.
public final class SimulatedDevice: Sendable {
  private struct State {
    var keybag: Keybag
    var database: Keychain.MemoryDatabase
    /// Those of ``SimulatedDevice/run(as:_:)``, open since the last restart.
    var keychains: [ApplicationIdentity: Keychain] = [:]
  }

  private let storage: MemoryStorage
  private let device: MemoryDeviceKey
  private let state: Mutex<State>
  /// Answers prompts in place of a user; script it.
  public let user: ScriptedUser

  let log = Mutex<[KeychainCall]>([])

  /// The application that asks where none is named.
  public static let application = ApplicationIdentity("com.example.app")

  private var options: Keybag.Options { Keybag.Options(kdf: .forTesting) }

  /// Makes a device, unlocked.
  ///
  /// - Parameter passcode: nil: a device without one.
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the passcode is empty.
  public init(passcode: String? = nil) throws {
    DefaultKeychain.keepFromRealStore()
    let storage = MemoryStorage()
    let device = MemoryDeviceKey()
    let user = ScriptedUser(passcode: passcode)
    let clock = SharedClock()
    let keybag = try Keybag.create(
      in: storage, device: device,
      passcode: passcode.map { SecretBox(SecretBytes(utf8: $0)) },
      options: Keybag.Options(kdf: .forTesting), clock: clock.seconds)
    self.storage = storage
    self.device = device
    self.user = user
    self.clock = clock
    state = Mutex(State(keybag: keybag, database: try Keychain.MemoryDatabase()))
  }

  private let clock: SharedClock

  /// The device's keybag, new after each ``restart()``.
  public var keybag: Keybag { state.withLock { $0.keybag } }

  /// A keychain as an application on this device sees it.
  ///
  /// Open it anew after ``restart()``, as an application does.
  ///
  /// - Throws: What ``Keychain`` throws when it opens.
  public func keychain(
    as identity: ApplicationIdentity = SimulatedDevice.application
  ) throws -> Keychain {
    try state.withLock { try open($0, identity) }
  }

  private func open(_ state: State, _ identity: ApplicationIdentity) throws -> Keychain {
    try Keychain.open(
      state.keybag, in: state.database, identity: identity, authenticator: user,
      clock: clock.date)
  }

  /// The keychain of an application, opened once between restarts.
  func openKeychain(_ identity: ApplicationIdentity) throws -> Keychain {
    try state.withLock { state in
      if let keychain = state.keychains[identity] { return keychain }
      let keychain = try open(state, identity)
      state.keychains[identity] = keychain
      return keychain
    }
  }

  /// Protected files of an application on this device. They lie where the test puts them, and open
  /// with this device's keys alone.
  ///
  /// Ask anew after ``restart()``, as an application does.
  public func files(
    protection: FileProtection = .completeUntilFirstAuthentication
  ) -> ProtectedFiles {
    ProtectedFiles(keybag, protection: protection)
  }

  // MARK: What happens to a device

  /// Locks the device. Without a passcode too, though iOS would not.
  public func lock() { keybag.lock() }

  /// Unlocks the device with the passcode that the user knows.
  ///
  /// - Throws: What ``Keybag/unlock(passcode:)`` throws.
  public func unlock() throws {
    guard let passcode = user.knownPasscode else { return try keybag.unlock() }
    try keybag.unlock(passcode: SecretBytes(utf8: passcode))
  }

  /// Restarts the device: nothing is unlocked, until the first unlock.
  ///
  /// - Throws: What ``Keybag`` throws when it opens.
  public func restart() throws {
    let former = keybag
    former.close()
    let keybag = try Keybag.open(in: storage, device: device, clock: clock.seconds)
    state.withLock { state in
      state.keybag = keybag
      state.keychains = [:]
    }
  }

  /// Sets the first passcode, or changes it.
  ///
  /// - Throws: What the keybag throws.
  public func setPasscode(_ passcode: String) throws {
    let new = SecretBytes(utf8: passcode)
    if keybag.hasPasscode, let old = user.knownPasscode {
      try keybag.changePasscode(from: SecretBytes(utf8: old), to: new)
    } else {
      try keybag.setPasscode(new, options: options)
    }
    user.learn(passcode: passcode)
  }

  /// Removes the passcode, and with it what was stored when-passcode-set.
  ///
  /// - Throws: What the keybag throws.
  public func removePasscode() throws {
    if let passcode = user.knownPasscode {
      try keybag.removePasscode(SecretBytes(utf8: passcode))
    }
    user.learn(passcode: nil)
  }

  /// Enrols a finger, or replaces the enrolled one: items of the current set are dead then.
  public func enrolBiometry() { user.enrol() }

  /// Forgets every finger.
  public func forgetBiometry() { user.forgetBiometry() }

  /// Deletes the application and installs it again: files go, items of the keychain stay, as on
  /// iOS. What an application wipes at its first launch it has to wipe itself.
  ///
  /// - Returns: The keychain as the new installation sees it.
  /// - Throws: What ``Keychain`` throws when it opens.
  public func reinstall(
    _ identity: ApplicationIdentity = SimulatedDevice.application
  ) throws -> Keychain {
    try keychain(as: identity)
  }

  /// Moves the device's clock on.
  public func advanceClock(by seconds: TimeInterval) { clock.advance(seconds) }
}

/// A clock that tests move.
final class SharedClock: Sendable {
  private let offset = Mutex<TimeInterval>(0)

  var date: @Sendable () -> Date {
    { self.offset.withLock { Date().addingTimeInterval($0) } }
  }
  var seconds: @Sendable () -> UInt64 {
    { UInt64(max(0, self.date().timeIntervalSince1970)) }
  }
  func advance(_ seconds: TimeInterval) { offset.withLock { $0 += seconds } }
}
