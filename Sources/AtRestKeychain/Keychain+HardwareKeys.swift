import AtRestCrypto
import AtRestKeybag
import Foundation

/// Key pairs whose private halves are in the device's hardware, such as a TPM 2.0.
extension Keychain {
  /// True if the device has hardware that makes keys and keeps them.
  ///
  /// If it is false, `createHardwareKey(tag:label:protection:group:context:)` throws
  /// ``AtRestError/Code/noHardware``.
  package var hasHardwareKeys: Bool { keybag.device.hardwareKeys != nil }

  /// Creates a P-256 key pair whose private half is made in the device's hardware and never leaves
  /// it.
  ///
  /// ```swift
  /// let publicKey = try keychain.createHardwareKey(tag: "com.example.signing")
  /// let signature = try keychain.sign(message, tag: "com.example.signing")
  /// ```
  ///
  /// The keychain stores the key in a form that only this hardware can use. Signing and key
  /// agreement take place in the hardware, after the same checks as for other keys: the protection
  /// class must be available, and the user must give the proofs that access control requires.
  ///
  /// - Parameters:
  ///   - tag: The application tag, which must be unique among the private keys of the group.
  ///   - protection: The protection, which must be a this-device-only one.
  /// - Throws: ``AtRestError/Code/noHardware`` if the device has no such hardware;
  ///   ``AtRestError/Code/deviceUnavailable`` if the hardware cannot be used, and
  ///   ``AtRestError/Code/busy`` if it is busy for too long;
  ///   ``AtRestError/Code/invalidArgument`` if the accessibility is not this-device-only;
  ///   ``AtRestError/Code/duplicate`` if the tag is taken; otherwise the errors of
  ///   `add(_:secret:attributes:protection:context:)`.
  @discardableResult
  public func createHardwareKey(
    tag: String, label: String? = nil,
    protection: ItemProtection = .accessible(.whenUnlockedThisDeviceOnly), group: String? = nil,
    context: AuthenticationContext? = nil
  ) throws -> PublicKey {
    try backend.createHardwareKey(
      .init(
        name: .init(tag, group: group), label: label, isExtractable: false, protection: protection),
      context: context)
  }

  /// Returns the stored form of a hardware key, or nil if the private half is not in hardware.
  ///
  /// The form of a TPM's key is PEM, with which other programs can use the key on this machine:
  /// `openssl` with the provider `tpm2`, for instance. The form is not secret, because only this
  /// hardware can use it, but it can be used without the keychain. The keychain therefore checks the
  /// same as for signing before it returns the form.
  ///
  /// An agent does not give out the form, with which a program could use the key after a lock and without
  /// a grant. A process has to unlock the store itself for it.
  ///
  /// - Throws: The errors of `sign(_:tag:group:scheme:context:)`, except those of the hardware, which
  ///   is not used.
  public func hardwareKey(
    tag: String, group: String? = nil, context: AuthenticationContext? = nil
  ) throws -> HardwareKey? {
    try backend.hardwareKey(.init(tag, group: group), context: context)
  }
}
