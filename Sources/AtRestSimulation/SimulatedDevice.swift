import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation
import Synchronization

/// A device in memory for tests.
///
/// A test can lock and restart the device, remove its enrolled fingers or its passcode, erase the
/// device or reinstall an application. The device runs the real keychain on a database in memory. A
/// device never uses a real store, and devices do not share data.
///
/// ```swift
/// let device = try SimulatedDevice(passcode: "1234")
/// let keychain = try device.keychain()
/// try keychain.add(token, secret: SecretBytes(utf8: "s3cr3t"))
/// device.lock()
/// #expect(throws: AtRestError.self) { _ = try keychain.secret(for: token).count }
/// ```
///
/// A device can be used from several threads.
public final class SimulatedDevice: Sendable {
  struct State {
    var storage: MemoryStorage
    var keybag: Keybag
    var database: Keychain.MemoryDatabase
    /// The keychains of ``SimulatedDevice/run(as:_:)`` that were opened since the last restart.
    var keychains: [ApplicationIdentity: Keychain] = [:]
    /// The containers of application groups.
    var groups = TemporaryFolder()
  }

  /// The secret of the device's processor. Erasing the device does not change it.
  let device: SimulatedDeviceKey
  let id = UUID()
  let state: Mutex<State>
  /// The user who answers prompts. Tests set the answers.
  public let user: ScriptedUser
  /// The means of authentication, which `LAEnvironment` shows.
  let environment: AuthenticationEnvironment

  let log = Mutex<[KeychainCall]>([])
  let strayLog = Mutex<[KeychainCall]>([])

  /// The application whose identity calls use if they name no application.
  public static let application = ApplicationIdentity("com.example.app")

  // Weak passcodes are allowed, because passcodes of phones may have four digits, and a simulated
  // device protects no real data.
  private static var options: Keybag.Options {
    Keybag.Options(kdf: .forTesting, allowsWeakPasscode: true)
  }

  /// Creates an unlocked device on which no finger or face is enrolled.
  ///
  /// - Parameters:
  ///   - passcode: The passcode, or nil for a device without a passcode.
  ///   - biometry: The biometry that the device supports, or nil if it supports none.
  ///   - hasHardwareKeys: True for a device with hardware that makes keys and keeps them. The keys
  ///     of `kSecAttrTokenIDSecureEnclave` are then in this hardware.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the passcode is empty.
  public init(
    passcode: String? = nil, biometry: BiometryKind? = .touchID, hasHardwareKeys: Bool = false
  ) throws {
    DefaultKeychain.simulate(ProcessDevices.shared)
    let device = SimulatedDeviceKey(hardware: hasHardwareKeys ? SimulatedHardware() : nil)
    let clock = SharedClock()
    self.device = device
    self.clock = clock
    let user = ScriptedUser(passcode: passcode, biometry: biometry)
    self.user = user
    state = Mutex(try Self.blank(device, passcode: passcode, clock))
    let current = WeakDevice()
    environment = AuthenticationEnvironment {
      guard let device = current.device else { return .none }
      // This may run in the prompt of a keychain, which therefore is not opened.
      return .init(hasPasscode: device.keybag.hasPasscode, user)
    }
    current.device = self
    user.follow { current.device?.authenticationDidChange() }
  }

  /// A reference to a device that does not keep the device.
  private final class WeakDevice: Sendable {
    private struct Reference { weak var device: SimulatedDevice? }
    private let reference = Mutex(Reference())
    var device: SimulatedDevice? {
      get { reference.withLock { $0.device } }
      set { reference.withLock { $0.device = newValue } }
    }
  }

  /// Returns the state of a device that is new or was erased.
  static func blank(
    _ device: SimulatedDeviceKey, passcode: String?, _ clock: SharedClock
  ) throws -> State {
    let storage = MemoryStorage()
    let keybag = try Keybag.create(
      in: storage, device: device,
      passcode: passcode.map { SecretBox(SecretBytes(utf8: $0)) }, options: options,
      clock: clock.boot)
    return State(storage: storage, keybag: keybag, database: try Keychain.MemoryDatabase())
  }

  let clock: SharedClock

  /// False while the device's hardware for keys cannot be used, as if a TPM did not answer. Calls
  /// that need a key in the hardware then throw ``AtRestError/Code/deviceUnavailable``.
  ///
  /// A device without such hardware ignores the setting: see `hasHardwareKeys` of
  /// ``init(passcode:biometry:hasHardwareKeys:)``.
  public var isHardwareAvailable: Bool {
    get { device.hardware?.isAvailable ?? false }
    set { device.hardware?.isAvailable = newValue }
  }

  /// The device's keybag. Each ``restart()`` replaces it.
  public var keybag: Keybag { state.withLock { $0.keybag } }

  /// Opens the keychain of an application on this device.
  ///
  /// Open the keychain again after ``restart()``, as an application does.
  ///
  /// - Throws: The errors of opening a ``Keychain``.
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

  /// Returns the keychain of an application. Opens the keychain at most once between two restarts.
  func openKeychain(_ identity: ApplicationIdentity) throws -> Keychain {
    try state.withLock { state in
      if let keychain = state.keychains[identity] { return keychain }
      let keychain = try open(state, identity)
      state.keychains[identity] = keychain
      return keychain
    }
  }

  /// Returns the protected files of an application on this device.
  ///
  /// The test chooses where to store the files. Only the keys of this device open the files. Call
  /// this method again after ``restart()``, as an application does.
  public func files(
    protection: FileProtection = .completeUntilFirstAuthentication
  ) -> ProtectedFiles {
    ProtectedFiles(keybag, protection: protection)
  }

  // MARK: Events

  /// Locks the device. Unlike iOS, this locks even a device without a passcode.
  public func lock() { keybag.lock() }

  /// Unlocks the device with the right passcode, regardless of the scripted answers.
  ///
  /// - Throws: The errors of `Keybag.unlock(passcode:)`.
  public func unlock() throws {
    guard let passcode = user.knownPasscode else { return try keybag.unlock() }
    try unlock(passcode: passcode)
  }

  /// Unlocks the device with a passcode, which may be wrong.
  ///
  /// - Throws: The errors of `Keybag.unlock(passcode:)`.
  public func unlock(passcode: String) throws {
    try keybag.unlock(passcode: SecretBytes(utf8: passcode))
    user.passcodeMatched()
  }

  /// Unlocks the device with a finger or face. The user acts according to the scripted answers.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if no finger or face is enrolled, or if the device
  ///   has not been unlocked since it started, because the first unlock requires the passcode;
  ///   ``AtRestError/Code/biometryLockout`` after too many failures;
  ///   ``AtRestError/Code/authenticationFailed`` and ``AtRestError/Code/canceled`` according to the
  ///   user's answer.
  public func unlockWithBiometry() throws {
    guard user.biometry != .unavailable, keybag.lockState != .beforeFirstUnlock else {
      throw AtRestError(
        .notPermitted,
        "No finger or face is enrolled, or the device has not been unlocked since it started.",
        remedy: "Unlock the device with the passcode.")
    }
    guard !user.isBiometryLockedOut else {
      throw AtRestError(
        .biometryLockout, "Biometry is locked after too many failures.",
        remedy: "Unlock the device with the passcode.")
    }
    switch user.answerAtLockScreen() {
    case .fallBack: return try unlock()
    case .cancel:
      throw AtRestError(
        .canceled, "The user did not unlock the device.", remedy: "Unlock the device again.")
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

  /// Restarts the device. After the restart, the device is in the state before the first unlock.
  ///
  /// - Throws: The errors of opening a ``Keybag``.
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

  /// Sets a passcode, or changes the present passcode.
  ///
  /// - Throws: The errors of ``Keybag``.
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

  /// Removes the passcode.
  ///
  /// Removing the passcode also deletes the items of the class when-passcode-set, and removes all
  /// fingers and faces, because biometry requires a passcode.
  ///
  /// - Throws: The errors of ``Keybag``.
  public func removePasscode() throws {
    if let passcode = user.knownPasscode {
      try keybag.removePasscode(SecretBytes(utf8: passcode))
    }
    user.loseAll()
  }

  /// The biometry that the device supports, or nil if it supports none.
  public var biometryKind: BiometryKind? { user.biometryKind }

  /// True if biometry is locked after too many failures, until the right passcode is entered.
  public var isBiometryLockedOut: Bool { user.isBiometryLockedOut }

  /// Enrols a finger or face, in addition to those that are already enrolled.
  ///
  /// Items that require the previously enrolled set (`AccessControl.Biometry.currentSet`) can no
  /// longer be read.
  ///
  /// - Parameter kind: The biometry that the device supports from now on. If it is nil, the device
  ///   keeps its kind of biometry, or gets Touch ID if it has none.
  public func enrolBiometry(_ kind: BiometryKind? = nil) { user.enrol(kind) }

  /// Locks biometry as five wrong fingers or faces in a row do, until the right passcode is entered.
  public func lockOutBiometry() { user.lockOutBiometry() }

  /// Removes every finger and face.
  public func forgetBiometry() { user.forgetBiometry() }

  /// Erases the items, the passcode and the enrolled fingers and faces of the device.
  ///
  /// The device keeps its identity, so restoring its backup also restores the items that are bound
  /// to the device. Running applications get empty keychains, and keychains that were opened before
  /// throw errors.
  ///
  /// - Throws: The errors of ``Keybag``.
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

  /// Deletes an application and installs it again.
  ///
  /// As on iOS, the application's keychain items remain. An application that should start without
  /// these items must delete them at its first launch. A test must delete the files that it has
  /// stored, those in the containers of application groups too.
  ///
  /// - Returns: The keychain of the new installation.
  /// - Throws: The errors of opening a ``Keychain``.
  public func reinstall(
    _ identity: ApplicationIdentity = SimulatedDevice.application
  ) throws -> Keychain {
    state.withLock { $0.keychains[identity] = nil }
    return try keychain(as: identity)
  }

  /// Advances the device's clock.
  public func advanceClock(by seconds: TimeInterval) { clock.advance(seconds) }
}
