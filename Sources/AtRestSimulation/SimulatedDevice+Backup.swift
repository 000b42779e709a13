import AtRestCrypto
import AtRestKeychain

/// Backups, and what of them comes back where.
extension SimulatedDevice {
  /// Backs the keychain up, all applications' items.
  ///
  /// ```swift
  /// let backup = try device.backup(passphrase: "four words of my own")
  /// let next = try SimulatedDevice(restoring: backup, passphrase: "four words of my own")
  /// #expect(throws: AtRestError.self) { _ = try next.keychain().secret(for: thisDeviceOnly).count }
  /// ```
  ///
  /// As on iOS items of the when-passcode-set class are in no backup, and none with access control.
  ///
  /// - Parameter passphrase: nil: a backup that is not encrypted, as a computer makes where none was
  ///   set. The items in it come back on this device alone, also those that may move.
  /// - Throws: ``AtRestError/Code/locked``: the device has to be unlocked.
  public func backup(passphrase: String? = nil) throws -> DeviceBackup {
    let (contents, summary) = try keychain(as: .owner())
      .backup(passphrase: secret(passphrase), kdf: .forTesting, controlled: false)
    return DeviceBackup(
      summary: summary, isEncrypted: passphrase != nil, origin: id, contents: contents)
  }

  /// Erases the device and sets it up from a backup. The passcode is what it was; nobody is enrolled.
  ///
  /// Items bound to a device come back on that device, on another they do not. Nothing is erased
  /// where the passphrase is wrong.
  ///
  /// - Parameter passphrase: What the backup was made with.
  /// - Returns: How many items came back, and how many did not.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where the passphrase is wrong.
  @discardableResult
  public func restore(_ backup: DeviceBackup, passphrase: String? = nil) throws -> RestoreSummary {
    let blank = try Self.blank(device, passcode: user.knownPasscode, clock)
    var summary = RestoreSummary()
    if backup.isEncrypted || backup.origin == id {
      summary = try open(blank, .owner())
        .restore(backup.contents, passphrase: secret(backup.isEncrypted ? passphrase : nil))
    } else {
      summary.leftOut = backup.summary.migratable + backup.summary.thisDeviceOnly
    }
    try replace(with: blank)
    return summary
  }

  /// What is not encrypted for its owner is encrypted for the device.
  private func secret(_ given: String?) -> SecretBytes {
    SecretBytes(utf8: given ?? id.uuidString)
  }

  /// Makes another device, set up from a backup.
  ///
  /// - Parameters:
  ///   - passphrase: What the backup was made with.
  ///   - passcode: The new device's passcode; nil: it has none.
  ///   - biometry: The reader that it has; nil: none.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` where the passphrase is wrong.
  public convenience init(
    restoring backup: DeviceBackup, passphrase: String? = nil, passcode: String? = nil,
    biometry: BiometryKind? = .touchID
  ) throws {
    try self.init(passcode: passcode, biometry: biometry)
    try restore(backup, passphrase: passphrase)
  }
}
