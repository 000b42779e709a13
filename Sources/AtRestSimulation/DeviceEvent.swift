import AtRestKeychain

/// Something that happens to a phone between two launches of an application.
///
/// The table *What survives* in `docs/Security.md` has one column for each event.
///
/// ```swift
/// let later = try device.after(.restoredElsewhere)
/// later.run { #expect(session.token == nil) }
/// ```
public enum DeviceEvent: String, CaseIterable, Sendable {
  /// The phone is locked.
  case locked = "locked"
  /// The phone is restarted and has not been unlocked since.
  case beforeFirstUnlock = "before first unlock"
  /// Another finger or face is enrolled.
  case reenrolled = "re-enrolled"
  /// Every finger and face is removed.
  case nobodyEnrolled = "nobody enrolled"
  /// Biometry is locked after five wrong fingers or faces in a row.
  case biometryLockedOut = "biometry locked out"
  /// The passcode is removed, and every finger and face with it.
  case passcodeRemoved = "passcode removed"
  /// The application is deleted and installed again.
  case reinstalled = "reinstalled"
  /// The phone is erased and restored from its encrypted backup, and a finger or face is enrolled.
  case restored = "restored"
  /// The encrypted backup of the phone is restored onto a new phone of the same user, on which a
  /// finger or face is enrolled.
  case restoredElsewhere = "restored elsewhere"
}

/// Events on a device, by name.
extension SimulatedDevice {
  /// Lets an event happen to this device.
  ///
  /// Only ``DeviceEvent/restoredElsewhere`` leads to another device, which has the same passcode, the
  /// same kind of biometry and the same user.
  ///
  /// - Parameter identity: The application that ``DeviceEvent/reinstalled`` installs again, or nil for
  ///   ``application``. A test must delete the files that the application has stored.
  /// - Returns: The device on which the application runs after the event.
  /// - Throws: The errors of the method that stages the event. A backup, for instance, throws
  ///   ``AtRestError/Code/locked`` if the device is not unlocked.
  @discardableResult
  public func after(
    _ event: DeviceEvent, for identity: ApplicationIdentity? = nil
  ) throws -> SimulatedDevice {
    let phrase = "four words of my own"
    switch event {
    case .locked: lock()
    case .beforeFirstUnlock: try restart()
    case .reenrolled: enrolBiometry()
    case .nobodyEnrolled: forgetBiometry()
    case .biometryLockedOut: lockOutBiometry()
    case .passcodeRemoved: try removePasscode()
    case .reinstalled: _ = try reinstall(identity ?? Self.application)
    case .restored:
      try restore(backup(passphrase: phrase), passphrase: phrase)
      enrolAfterRestoring()
    case .restoredElsewhere:
      let next = try SimulatedDevice(
        restoring: backup(passphrase: phrase), passphrase: phrase, passcode: user.knownPasscode,
        biometry: biometryKind, hasHardwareKeys: device.hardware != nil)
      if let password = user.knownApplicationPassword {
        next.user.know(applicationPassword: password)
      }
      next.enrolAfterRestoring()
      return next
    }
    return self
  }

  /// Enrols a finger or face as the user of a restored device does, if the device allows it.
  private func enrolAfterRestoring() {
    if biometryKind != nil, user.knownPasscode != nil { enrolBiometry() }
  }
}
