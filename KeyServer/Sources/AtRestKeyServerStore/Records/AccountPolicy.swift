/// The decisions that the operator makes for each account.
package struct AccountPolicy: Sendable, Equatable {
  /// True to destroy the account's evaluation key at the first attempt of a device of the account after the
  /// limit. The passphrase then opens nothing any more. Strangers cannot cause that.
  package var destroysKey: Bool
  /// True to evaluate requests that no device of the account signed, so that a passphrase can be
  /// used on a new device. Anyone can then use up the attempts of unknown devices.
  package var allowsUnknownDevices: Bool

  /// The seconds for which a device may use its shares and wrapping keys without the server, or 0.
  /// A revocation takes effect after this time on a device that stays offline.
  package var offlineSeconds: UInt32

  /// The attempts of the account's devices that may stay without a proof in a year, or 0 for any number. They
  /// bound what a thief can guess who tries a little between the owner's own uses.
  package var attemptsPerYear: UInt32

  package init(
    destroysKey: Bool = false, allowsUnknownDevices: Bool = false, offlineSeconds: UInt32 = 0,
    attemptsPerYear: UInt32 = 365
  ) {
    self.destroysKey = destroysKey
    self.allowsUnknownDevices = allowsUnknownDevices
    self.offlineSeconds = offlineSeconds
    self.attemptsPerYear = attemptsPerYear
  }
}
