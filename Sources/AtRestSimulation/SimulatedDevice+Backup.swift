import AtRestCrypto
import AtRestKeychain

/// Backing up a device, and restoring a backup onto it or another device.
extension SimulatedDevice {
  /// Backs up the items of all applications in the keychain, and the keys of their protected files.
  ///
  /// ```swift
  /// let backup = try device.backup(passphrase: "four words of my own")
  /// let next = try SimulatedDevice(restoring: backup, passphrase: "four words of my own")
  /// #expect(throws: AtRestError.self) { _ = try next.keychain().secret(for: thisDeviceOnly).count }
  /// ```
  ///
  /// As on iOS, a backup does not contain items of the class when-passcode-set or items with access
  /// control.
  ///
  /// - Parameter passphrase: The passphrase of the backup. A backup without a passphrase
  ///   corresponds to an unencrypted backup of an iOS device on a computer: all items in the
  ///   backup, even migratable items, can be restored only onto this device.
  /// - Throws: ``AtRestError/Code/locked`` if the device is not unlocked.
  public func backup(passphrase: String? = nil) throws -> DeviceBackup {
    var items: [LeftOutItem] = []
    let (contents, summary) = try keychain(as: .owner())
      .backup(passphrase: secret(passphrase), kdf: .forTesting, controlled: false) {
        items.append($0)
      }
    return DeviceBackup(
      summary: summary, isEncrypted: passphrase != nil, origin: id, items: items,
      contents: contents)
  }

  /// Erases the device and sets it up from a backup.
  ///
  /// The device keeps its passcode, but no finger or face is enrolled. Items that are bound to a
  /// device are restored only onto that device. Protected files from before the backup open again. If
  /// the passphrase is wrong, nothing is erased.
  ///
  /// - Parameter passphrase: The passphrase with which the backup was made.
  /// - Returns: The number of items that were restored, and the items that were not.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong.
  @discardableResult
  public func restore(_ backup: DeviceBackup, passphrase: String? = nil) throws -> RestoreSummary {
    var blank = try Self.blank(device, passcode: user.knownPasscode, clock)
    // The files in the containers of application groups stay, as all files of a test do.
    blank.groups = state.withLock { $0.groups }
    var summary = RestoreSummary()
    if backup.isEncrypted || backup.origin == id {
      summary = try open(blank, .owner())
        .restore(backup.contents, passphrase: secret(backup.isEncrypted ? passphrase : nil))
    } else {
      summary.leftOut = backup.items
    }
    try replace(with: blank)
    return summary
  }

  /// Returns the secret that encrypts a backup: the given passphrase, or the device's identifier if
  /// no passphrase is given.
  private func secret(_ given: String?) -> SecretBytes {
    SecretBytes(utf8: given ?? id.uuidString)
  }

  /// Creates another device and sets it up from a backup.
  ///
  /// - Parameters:
  ///   - passphrase: The passphrase with which the backup was made.
  ///   - passcode: The passcode of the new device, or nil for a device without a passcode.
  ///   - biometry: The biometry that the new device supports, or nil if it supports none.
  ///   - hasHardwareKeys: True for a new device with hardware that makes keys and keeps them.
  /// - Throws: ``AtRestError/Code/authenticationFailed`` if the passphrase is wrong.
  public convenience init(
    restoring backup: DeviceBackup, passphrase: String? = nil, passcode: String? = nil,
    biometry: BiometryKind? = .touchID, hasHardwareKeys: Bool = false
  ) throws {
    try self.init(passcode: passcode, biometry: biometry, hasHardwareKeys: hasHardwareKeys)
    try restore(backup, passphrase: passphrase)
  }
}
