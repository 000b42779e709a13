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
  struct State {
    var storage: MemoryStorage
    var keybag: Keybag
    var database: Keychain.MemoryDatabase
    /// Those of ``SimulatedDevice/run(as:_:)``, open since the last restart.
    var keychains: [ApplicationIdentity: Keychain] = [:]
  }

  /// The secret of the device's processor, which also an erased device keeps.
  let device: MemoryDeviceKey
  let id = UUID()
  let state: Mutex<State>
  /// Answers prompts in place of a user; script it.
  public let user: ScriptedUser

  let log = Mutex<[KeychainCall]>([])

  /// The application that asks where none is named.
  public static let application = ApplicationIdentity("com.example.app")

  // Phones have passcodes of four digits, and a simulated one guards nothing.
  private static var options: Keybag.Options {
    Keybag.Options(kdf: .forTesting, allowsWeakPasscode: true)
  }

  /// Makes a device, unlocked, with nobody enrolled.
  ///
  /// - Parameters:
  ///   - passcode: nil: a device without one.
  ///   - biometry: The reader that it has; nil: none.
  /// - Throws: ``AtRestError/Code/invalidArgument`` where the passcode is empty.
  public init(passcode: String? = nil, biometry: BiometryKind? = .touchID) throws {
    DefaultKeychain.keepFromRealStore()
    let device = MemoryDeviceKey()
    let clock = SharedClock()
    self.device = device
    self.clock = clock
    user = ScriptedUser(passcode: passcode, biometry: biometry)
    state = Mutex(try Self.blank(device, passcode: passcode, clock))
  }

  /// A device as it is taken out of its box, or after it was erased.
  static func blank(
    _ device: MemoryDeviceKey, passcode: String?, _ clock: SharedClock
  ) throws -> State {
    let storage = MemoryStorage()
    let keybag = try Keybag.create(
      in: storage, device: device,
      passcode: passcode.map { SecretBox(SecretBytes(utf8: $0)) }, options: options,
      clock: clock.boot)
    return State(storage: storage, keybag: keybag, database: try Keychain.MemoryDatabase())
  }

  let clock: SharedClock

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

  func open(_ state: State, _ identity: ApplicationIdentity) throws -> Keychain {
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

  /// Unlocks the device with the passcode that the user knows, whatever they were told to do at
  /// prompts.
  ///
  /// - Throws: What ``Keybag/unlock(passcode:)`` throws.
  public func unlock() throws {
    guard let passcode = user.knownPasscode else { return try keybag.unlock() }
    try unlock(passcode: passcode)
  }

  /// Unlocks the device with a passcode, which may be a wrong one.
  ///
  /// - Throws: What ``Keybag/unlock(passcode:)`` throws.
  public func unlock(passcode: String) throws {
    try keybag.unlock(passcode: SecretBytes(utf8: passcode))
    user.passcodeMatched()
  }

  /// Unlocks the device with a finger or face, as the user was told to answer.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` where nobody is enrolled, and after a restart, which
  ///   wants the passcode; ``AtRestError/Code/biometryLockout``;
  ///   ``AtRestError/Code/authenticationFailed``; ``AtRestError/Code/canceled``.
  public func unlockWithBiometry() throws {
    guard user.biometry != .unavailable, keybag.lockState != .beforeFirstUnlock else {
      throw AtRestError(
        .notPermitted, "Nobody is enrolled, or the device was not unlocked since it started.",
        remedy: "Unlock it with the passcode.")
    }
    guard !user.isBiometryLockedOut else {
      throw AtRestError(
        .biometryLockout, "Biometry failed too often.", remedy: "Unlock it with the passcode.")
    }
    switch user.answerAtLockScreen() {
    case .fallBack: return try unlock()
    case .cancel:
      throw AtRestError(.canceled, "The device was put away.", remedy: "Unlock it again.")
    case .fail:
      user.biometryMatched(false)
      throw AtRestError(
        .authenticationFailed, "The biometry did not match.", remedy: "Try again.")
    case .comply: break
    }
    try unlock()
    user.biometryMatched(true)
    user.remember(unlock: clock.date())
  }

  /// Restarts the device: nothing is unlocked, until the first unlock.
  ///
  /// - Throws: What ``Keybag`` throws when it opens.
  public func restart() throws {
    let former = keybag
    former.close()
    clock.restart()
    let keybag = try Keybag.open(
      in: state.withLock { $0.storage }, device: device, clock: clock.boot)
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
      try keybag.changePasscode(
        from: SecretBytes(utf8: old), to: new, allowsWeakPasscode: true)
    } else {
      try keybag.setPasscode(new, options: Self.options)
    }
    user.learn(passcode: passcode)
  }

  /// Removes the passcode, and with it what was stored when-passcode-set, and who is enrolled: there
  /// is no biometry without a passcode.
  ///
  /// - Throws: What the keybag throws.
  public func removePasscode() throws {
    if let passcode = user.knownPasscode {
      try keybag.removePasscode(SecretBytes(utf8: passcode))
    }
    user.learn(passcode: nil)
    user.forgetBiometry()
  }

  /// The reader for biometry, or nil where there is none.
  public var biometryKind: BiometryKind? { user.biometryKind }

  /// Whether biometry failed so often that the passcode has to be shown first.
  public var isBiometryLockedOut: Bool { user.isBiometryLockedOut }

  /// Enrols a finger or face, or one more: items of the former current set are dead then.
  ///
  /// - Parameter kind: The reader that the device has from now on; nil: the one that it has, or
  ///   Touch ID where it has none.
  public func enrolBiometry(_ kind: BiometryKind? = nil) { user.enrol(kind) }

  /// Forgets every finger and face.
  public func forgetBiometry() { user.forgetBiometry() }

  /// Erases the device: its items, its passcode and who is enrolled. It is the same device all the
  /// same: a backup of it brings back what is bound to it.
  ///
  /// Applications that run get keychains that are empty; keychains opened before throw.
  ///
  /// - Throws: What ``Keybag`` throws.
  public func erase() throws {
    try replace(with: Self.blank(device, passcode: nil, clock))
    user.learn(passcode: nil)
  }

  func replace(with blank: State) throws {
    let former = state.withLock { state in
      defer { state = blank }
      return state.keybag
    }
    user.forgetBiometry()
    try former.wipe()
  }

  /// Deletes the application and installs it again: files go, items of the keychain stay, as on
  /// iOS. What an application wipes at its first launch it has to wipe itself.
  ///
  /// - Returns: The keychain as the new installation sees it.
  /// - Throws: What ``Keychain`` throws when it opens.
  public func reinstall(
    _ identity: ApplicationIdentity = SimulatedDevice.application
  ) throws -> Keychain {
    state.withLock { $0.keychains[identity] = nil }
    return try keychain(as: identity)
  }

  /// Moves the device's clock on.
  public func advanceClock(by seconds: TimeInterval) { clock.advance(seconds) }
}

/// A clock that tests move.
final class SharedClock: Sendable {
  private struct State {
    var offset: TimeInterval = 0
    /// When the device started, and a number drawn with each start.
    var start = Date()
    var boot = RandomBytes.data(count: 16)

    var date: Date { Date().addingTimeInterval(offset) }
  }
  private let state = Mutex(State())

  var date: @Sendable () -> Date { { self.state.withLock { $0.date } } }

  /// The clock that runs from the start of the device.
  var boot: BootClock {
    BootClock {
      self.state.withLock { state in
        BootClock.Reading(
          boot: state.boot, seconds: UInt64(max(0, state.date.timeIntervalSince(state.start))),
          date: UInt64(max(0, state.date.timeIntervalSince1970)))
      }
    }
  }

  func advance(_ seconds: TimeInterval) { state.withLock { $0.offset += seconds } }

  func restart() {
    state.withLock { state in
      state.start = state.date
      state.boot = RandomBytes.data(count: 16)
    }
  }
}
