/// The decisions that the operator makes for each account.
package struct AccountPolicy: Sendable, Equatable {
  /// True to destroy the account's evaluation key at the first attempt after the limit. The
  /// passphrase then opens nothing any more.
  package var destroysKey: Bool
  /// True to evaluate requests that no device of the account signed, so that a passphrase can be
  /// used on a new device. Anyone can then use up the account's attempts.
  package var allowsUnknownDevices: Bool

  /// The seconds for which a device may use its shares and wrapping keys without the server, or 0.
  /// A revocation takes effect after this time on a device that stays offline.
  package var offlineSeconds: UInt32

  package init(
    destroysKey: Bool = false, allowsUnknownDevices: Bool = false, offlineSeconds: UInt32 = 0
  ) {
    self.destroysKey = destroysKey
    self.allowsUnknownDevices = allowsUnknownDevices
    self.offlineSeconds = offlineSeconds
  }
}
