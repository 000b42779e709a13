import AtRestCrypto
import AtRestKeybag
import Foundation

/// P-256 keys of the secure enclave that are not stored in the keychain, as CryptoKit has them.
extension Keychain {
  /// Creates a key in the device's hardware, or sealed under a class key if it has none.
  ///
  /// The user is not asked, except for the application password if the access control requires one.
  ///
  /// - Parameters:
  ///   - protection: The protection. A migratable accessibility becomes the this-device-only one.
  ///   - isSuitable: A closure that returns true for a public key that the caller can use. At least
  ///     one of a few keys must be suitable.
  /// - Throws: ``AtRestError/Code/passcodeNotSet`` and ``AtRestError/Code/notPermitted`` if the access
  ///   control could never be met; ``AtRestError/Code/locked`` while the class is locked; the errors of
  ///   the hardware.
  package func makeEnclaveKey(
    for use: EnclaveKey.Use, protection: ItemProtection, context: AuthenticationContext,
    where isSuitable: (PublicKey) -> Bool = { _ in true }
  ) throws -> EnclaveKey {
    try directly(Self.lack) { store in
      try keybag.checkPresent()
      let decision = store.decision(context)
      if let accessControl = protection.accessControl {
        try decision.checkAttainable(accessControl)
      }
      let parameters: (kdf: PasswordKDF, salt: Data)? =
        protection.accessControl?.applicationPassword == true
        ? (keybag.kdf, RandomBytes.data(count: 16)) : nil
      let made = try newPrivateHalf(where: isSuitable)
      let key = try EnclaveKey(
        use, made.publicKey, isInHardware: made.isInHardware, in: keybag, protection: protection,
        enrolment: decision.enrolment(for: protection.accessControl),
        applicationPassword: parameters)
      let header = try key.header()
      let sealing = try sealingKey(of: key)
      let box: Data
      if let parameters {
        let inner = try decision.applicationKey(kdf: parameters.kdf, salt: parameters.salt).seal(
          made.bytes.bytes, context: parameters.salt)
        box = try sealing.seal(inner, context: header)
      } else {
        box = try sealing.seal(made.bytes.bytes, context: header)
      }
      return key.sealed(
        box, header: header,
        authenticatedBy: try keybag.deriveFromIndexKey(.enclaveKeyAuthentication))
    }
  }

  /// Reads a key that ``makeEnclaveKey(for:protection:context:)`` made, in this process or another.
  /// The store may be locked.
  ///
  /// - Throws: The errors of reading an ``EnclaveKey``.
  package func enclaveKey(_ representation: Data, for use: EnclaveKey.Use) throws -> EnclaveKey {
    try EnclaveKey(decoding: representation, for: use, in: keybag)
  }

  /// Calls a closure with the private half of a key, after the same checks as for a key in the
  /// keychain.
  ///
  /// - Throws: ``AtRestError/Code/locked`` while the class is locked; ``AtRestError/Code/damaged`` if
  ///   its class key was destroyed with the passcode; ``AtRestError/Code/notPermitted`` if the access
  ///   control lacks private-key usage; the errors of access control and of the hardware.
  package func withPrivateKey<Result: ~Copyable>(
    of key: EnclaveKey, context: AuthenticationContext,
    _ body: (borrowing PrivateKeyInUse) throws -> Result
  ) throws -> Result {
    try directly(Self.lack) { store in
      try keybag.checkPresent()
      guard key.accessControl?.privateKeyUsage != false else {
        throw AtRestError(
          .notPermitted, "The key's access control lacks private-key usage.",
          remedy: "Create a key whose access control includes it.")
      }
      let sealing = try sealingKey(of: key)
      let decision = store.decision(context)
      if let accessControl = key.accessControl {
        try decision.require(accessControl.requirement, enrolment: key.enrolment)
      }
      // The store may have been locked while the user was asked.
      if key.accessControl != nil { _ = try sealingKey(of: key) }
      var opened = try sealing.open(key.box, context: try key.header(), name: Self.name)
      if let parameters = key.applicationPassword {
        opened = try decision.openWithApplicationPassword(
          opened, kdf: parameters.kdf, salt: parameters.salt, name: Self.name)
      }
      guard key.isInHardware else {
        return try body(.software(PrivateKey(storage: opened.duplicate(), algorithm: .p256)))
      }
      guard let hardware = keybag.device.hardwareKeys else {
        throw AtRestError(
          .deviceUnavailable, "The key is in hardware that this device does not have.",
          remedy: "Use the device that made the key, or create another key.")
      }
      let stored = HardwareKey(
        representation: Data(copying: opened), publicKey: try key.publicKey.x963Representation())
      return try body(.hardware(HardwarePrivateKey(stored, in: hardware)))
    }
  }

  private static let lack = "uses no keys of the secure enclave that are not in the keychain"
  private static let name = "The private half of the key of the secure enclave"

  private func sealingKey(of key: EnclaveKey) throws -> SealingKey {
    try SealingKey(keybag.derive(.enclaveKeyBox, from: key.keyClass, set: key.keySet))
  }

  /// Returns a new private half: the stored form of a key in hardware, or a scalar.
  private func newPrivateHalf(where isSuitable: (PublicKey) -> Bool) throws -> (
    bytes: SecretBox, publicKey: PublicKey, isInHardware: Bool
  ) {
    // Half of all keys have a compact form, so the last attempt is never reached.
    for _ in 0..<128 {
      if hasHardwareKeys {
        let made = try makeHardwareKey()
        guard isSuitable(made.publicKey) else { continue }
        return (SecretBox(SecretBytes(made.key.representation)), made.publicKey, true)
      }
      let made = try PrivateKey.generate(.p256)
      guard isSuitable(made.publicKey) else { continue }
      return (SecretBox(made.storage.duplicate()), made.publicKey, false)
    }
    throw AtRestError(
      .system, "No key was suitable.", remedy: "Try again; if it happens again, report it.")
  }
}
