import AtRestCrypto
import Crypto
import Foundation

/// The wrapping of class keys in the keybag.
extension Keybag {
  static func fingerprint(of device: any DeviceKeyProvider) throws -> Data {
    let mark = try device.tangle(
      SecretBytes(utf8: "device"), purpose: Purpose("atrest.device-fingerprint.v1"))
    return Data(copying: mark).prefix(8)
  }

  package func deviceFingerprint() throws -> Data { try Self.fingerprint(of: device) }

  static func authenticationKey(
    _ effaceable: SecretBox, _ device: any DeviceKeyProvider
  ) throws -> SecretBytes {
    try device.tangle(effaceable.bytes, purpose: Purpose("atrest.keybag-authentication.v1"))
  }

  static func deviceWrap(
    _ effaceable: SecretBox, _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    try WrappingKey(
      device.tangle(effaceable.bytes, purpose: Purpose("atrest.class-d-wrap.v1")))
  }

  /// Returns the wrapping key of classes that need the passcode, derived from the result of the
  /// KDF, the effaceable key, the device key and the device's passcode secret. Without a passcode, it
  /// is derived from the effaceable key and the device key alone.
  ///
  /// - Parameter stretched: The result of the KDF, or nil without a passcode.
  private static func passcodeWrap(
    _ stretched: SecretBox?, _ file: KeybagFile, _ effaceable: SecretBox,
    _ device: any DeviceKeyProvider
  ) throws -> WrappingKey {
    guard let stretched else {
      return try WrappingKey(
        device.tangle(effaceable.bytes, purpose: Purpose("atrest.no-passcode-wrap.v1")))
    }
    let count = stretched.bytes.count
    let both = SecretBytes(count: count + effaceable.bytes.count) { bytes in
      stretched.bytes.withUnsafeBytes { bytes.copyMemory(from: $0) }
      effaceable.bytes.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: bytes[count...]).copyMemory(from: $0)
      }
    }
    return try WrappingKey(
      device.tangle(
        both, passcodeSecret: file.passcodeSecret, authorization: authorization(stretched),
        purpose: Purpose("atrest.passcode-wrap.v1")))
  }

  /// Returns the value for which a device reveals the passcode secret.
  private static func authorization(_ stretched: SecretBox) -> SecretBytes {
    stretched.bytes.derive(Purpose("atrest.passcode-authorization.v1"))
  }

  private static func stretch(_ passcode: SecretBox?, _ file: KeybagFile) throws -> SecretBox? {
    try passcode.map { SecretBox(try file.kdf.deriveKey(from: $0.bytes, salt: file.salt)) }
  }

  /// Returns true if a passcode is shorter than `shortestPasscode`, or among the first hundred that
  /// are tried, such as 123456.
  ///
  /// A passcode of six digits is not weak. The device counts attempts and delays them, so nobody can
  /// try many of a million on the device. Whoever copies the store and the device key can try all.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the passcode is empty, or is weak and
  ///   `allowed` is false.
  static func isWeak(passcode: SecretBox, allowed: Bool) throws -> Bool {
    guard passcode.bytes.count > 0 else {
      throw AtRestError.invalid(
        "The passcode is empty.", remedy: "Use at least one character, or better, several words.")
    }
    let isShort = characterCount(of: passcode.bytes) < shortestPasscode
    guard !isShort || allowed else {
      throw AtRestError.invalid(
        "The passcode has fewer than \(shortestPasscode) characters.",
        remedy: "Choose a longer one, ideally of several words. A short one can be guessed; "
          + "--weak-passcode, or the option for it, accepts it.")
    }
    return isShort || PassphraseStrength(of: passcode.bytes).log10Guesses < 2
  }

  /// Returns the number of Unicode scalar values in a passcode, or the number of bytes if it is not
  /// valid UTF-8. The passcode is not copied.
  private static func characterCount(of passcode: borrowing SecretBytes) -> Int {
    passcode.withUnsafeBytes { bytes in
      var decoder = UTF8()
      var iterator = bytes.makeIterator()
      var count = 0
      while true {
        switch decoder.decode(&iterator) {
        case .scalarValue: count += 1
        case .emptyInput: return count
        case .error: return bytes.count
        }
      }
    }
  }

  /// Wraps all class keys and adds them to a keybag, whose KDF must already be set.
  ///
  /// - Parameter isBoundToDevice: False to leave out the device's passcode secret.
  static func seal(
    _ keys: ClassKeys, _ indexKey: SecretBox, into file: inout KeybagFile,
    passcode: SecretBox?, effaceable: SecretBox, device: any DeviceKeyProvider,
    isBoundToDevice: Bool = true
  ) throws {
    file.salt = RandomBytes.data(count: 16)
    let deviceWrap = try deviceWrap(effaceable, device)
    let stretched = try stretch(passcode, file)
    file.passcodeSecret =
      if let stretched, isBoundToDevice {
        try device.makePasscodeSecret(authorization: authorization(stretched))
      } else {
        Data()
      }
    let passcodeWrap = try passcodeWrap(stretched, file, effaceable, device)
    file.wrappedIndexKey = try deviceWrap.wrap(indexKey.bytes)
    let before = file
    file.sets = []
    for (number, keys) in keys.sets.sorted(by: { $0.key < $1.key }) {
      var set = KeySet(number: number, entries: [:])
      for (keyClass, key) in keys {
        let wrapped =
          keyClass.availability == .always
          ? try deviceWrap.wrap(key.bytes) : try passcodeWrap.wrap(key.bytes)
        set.entries[keyClass] = KeySet.Entry(
          id: before.entry(keyClass, set: number)?.id ?? .random(in: 1 ... .max),
          publicKey: keyClass == .completeUnlessOpen ? try publicKey(of: key) : Data(),
          wrapped: wrapped)
      }
      file.sets.append(set)
    }
  }

  private static func publicKey(of key: SecretBox) throws -> Data {
    try Remains.erased(after: .deep) {
      try key.bytes.withUnsafeBytes {
        try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0).publicKey.rawRepresentation
      }
    }
  }

  /// Brings the class keys that need no passcode into memory, from all sets.
  func openDeviceClasses(_ state: inout State) throws {
    let wrap = try Self.deviceWrap(effaceable(state), device)
    state.indexKey = SecretBox(
      try wrap.unwrap(state.file.wrappedIndexKey, name: "The index key"))
    for set in state.file.sets {
      for (keyClass, entry) in set.entries where keyClass.availability == .always {
        state.keys[set.number, keyClass] = SecretBox(
          try wrap.unwrap(entry.wrapped, name: "Class key \(keyClass.name)"))
      }
    }
  }

  /// Returns the class keys of all sets, or throws ``AtRestError/Code/authenticationFailed``. The
  /// keybag is authentic, so a class key that does not unwrap means a wrong passcode.
  ///
  /// - Parameter check: A closure that runs after the KDF and before the passcode is tried.
  func unwrapAll(
    _ file: KeybagFile, passcode: SecretBox?, effaceable: SecretBox,
    checking check: () throws -> Void = {}
  ) throws -> ClassKeys {
    let deviceWrap = try Self.deviceWrap(effaceable, device)
    let stretched = try Self.stretch(passcode, file)
    if stretched != nil { try check() }
    let passcodeWrap: WrappingKey
    do {
      passcodeWrap = try Self.passcodeWrap(stretched, file, effaceable, device)
    } catch AtRestError.Code.authenticationFailed {
      throw Self.wrongPasscode
    }
    var keys = ClassKeys(present: file.present.number)
    for set in file.sets {
      for (keyClass, entry) in set.entries {
        let name = "Class key \(keyClass.name)"
        if keyClass.availability == .always {
          keys[set.number, keyClass] = SecretBox(try deviceWrap.unwrap(entry.wrapped, name: name))
          continue
        }
        do {
          keys[set.number, keyClass] = SecretBox(
            try passcodeWrap.unwrap(entry.wrapped, name: name))
        } catch {
          throw Self.wrongPasscode
        }
      }
    }
    return keys
  }

  func effaceable(_ state: borrowing State) throws -> SecretBox {
    guard let key = state.effaceable else { throw refusalWithoutKeys(state) }
    return key
  }
}
