// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// Generates a key pair.
///
/// ```swift
/// let parameters: [String: Any] = [
///   kSecAttrKeyType as String: kSecAttrKeyTypeECSECPrimeRandom,
///   kSecAttrKeySizeInBits as String: 256,
/// ]
/// let key = SecKeyCreateRandomKey(parameters as CFDictionary, nil)
/// ```
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` (RSA or `kSecAttrKeyTypeECSECPrimeRandom`) and
///     `kSecAttrKeySizeInBits` (RSA 2,048 to 4,096 bits, in steps of 128; curves 256, 384 or 521
///     bits). Attributes in `kSecPrivateKeyAttrs` or `kSecPublicKeyAttrs` apply to one of the keys,
///     and all other attributes apply to both. A key for which `kSecAttrIsPermanent` is true is
///     added to the keychain with its attributes. If `kSecAttrTokenID` is
///     `kSecAttrTokenIDSecureEnclave` (256-bit curves only), the private key cannot be exported.
///     It is made in the device's hardware, or in memory if the device has no such hardware.
///     The private key is stored in the keychain and opened for each use, unless
///     `kSecAttrIsPermanent` is false. If such a stored key has an access control with flags, the
///     key is usable only if `privateKeyUsage` is one of the flags. A key outside the secure
///     element must not have `privateKeyUsage`.
///   - error: Set if the function returns nil: `errSecParam` if a parameter is invalid;
///     `errSecUnimplemented` if the key would be too weak; the status of `SecItemAdd` if a key
///     could not be added; `errSecNotAvailable` if the hardware cannot be used.
/// - Returns: The private key, or nil if the function fails.
public func SecKeyCreateRandomKey(
  _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  error.catching { try SecKey.generate(SecKeyParameters(parameters)) }
}

/// Generates a key pair like ``SecKeyCreateRandomKey(_:_:)``, and returns both keys.
///
/// - Returns: `errSecSuccess`, or the code of the error that ``SecKeyCreateRandomKey(_:_:)`` would
///   set.
@discardableResult
public func SecKeyGeneratePair(
  _ parameters: CFDictionary, _ publicKey: UnsafeMutablePointer<SecKey?>?,
  _ privateKey: UnsafeMutablePointer<SecKey?>?
) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard let key = SecKeyCreateRandomKey(parameters, &error) else {
    return error.map { OSStatus($0.takeRetainedValue().code) } ?? errSecInternalError
  }
  publicKey?.pointee = SecKeyCopyPublicKey(key)
  privateKey?.pointee = key
  return errSecSuccess
}

/// Creates a key from its external representation.
///
/// - Parameters:
///   - keyData: The key in X9.63 for curves (04 ‖ X ‖ Y, and 04 ‖ X ‖ Y ‖ K for private keys), or
///     in PKCS#1 for RSA.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`. The data determines the key size.
///   - error: Set if the function returns nil: `errSecParam` if the data is not a key of this type
///     and class, or is an RSA key below 2,048 bits; `errSecUnimplemented` for symmetric keys, and
///     if `kSecAttrTokenID` is set.
/// - Returns: The key, or nil if the function fails.
public func SecKeyCreateWithData(
  _ keyData: CFData, _ attributes: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  error.catching {
    let parameters = SecKeyParameters(attributes)
    guard parameters[kSecAttrTokenID] == nil else {
      throw StatusError(errSecUnimplemented, "A key cannot be imported into the secure element.")
    }
    let keyClass = parameters.number(kSecAttrKeyClass)
    guard let type = parameters.number(kSecAttrKeyType), keyClass == 0 || keyClass == 1 else {
      throw StatusError(
        keyClass == 2 ? errSecUnimplemented : errSecParam,
        "The key type or the key class is missing, or does not belong to a key pair.")
    }
    do {
      return try (keyData as Data).withUnsafeBytes {
        try SecKey(stored: $0, type: .number(Int64(type)), isPrivate: keyClass == 1)
      }
    } catch {
      throw StatusError(errSecParam, (error as? AtRestError)?.description ?? "\(error)")
    }
  }
}

extension SecKey {
  fileprivate static func generate(_ parameters: SecKeyParameters) throws -> SecKey {
    let algorithm = try parameters.algorithm()
    let isInSecureElement: Bool
    switch parameters[kSecAttrTokenID] {
    case nil: isInSecureElement = false
    case let token as String where token == secureElementToken && algorithm == .p256:
      isInSecureElement = true
    default:
      throw StatusError(
        errSecParam, "The only token is the secure element, and it holds only P-256 keys.")
    }
    let privateHalf = parameters.half(kSecPrivateKeyAttrs)
    let control =
      (privateHalf[kSecAttrAccessControl] as? SecAccessControl)?.protection.accessControl
    guard isInSecureElement || control?.privateKeyUsage != true else {
      throw StatusError(
        errSecParam,
        "`privateKeyUsage` requires a key in the secure element. Set kSecAttrTokenID.")
    }
    let holder = privateHalf[kSecUseAuthenticationContext] as? any AuthenticationContextHolder
    let keychain =
      isInSecureElement ? try DefaultKeychain.get(for: holder, "SecKeyCreateRandomKey") : nil
    let key: SecKey
    if let keychain, keychain.hasHardwareKeys {
      let made = try keychain.makeHardwareKey()
      key = SecKey(.hardware(made), publicKey: made.publicKey, isInSecureElement: true)
    } else {
      key = SecKey(try PrivateKey.generate(algorithm), isInSecureElement: isInSecureElement)
    }
    var publicHalf = parameters.half(kSecPublicKeyAttrs).values
    if (publicHalf[kSecAttrIsPermanent as String] as? NSNumber)?.boolValue == true {
      publicHalf[kSecAttrTokenID as String] = nil
      _ = try add(SecKey(.publicKey, publicKey: key.publicKey), publicHalf)
    }
    guard privateHalf.flag(kSecAttrIsPermanent) ?? isInSecureElement else { return key }
    guard let reference = try add(key, privateHalf.values), let keychain else { return key }
    let shown = holder?.authenticationContext(reason: nil, interaction: nil)
    return SecKey(
      .stored(keychain, reference) { shown ?? AuthenticationContext() },
      publicKey: key.publicKey, isInSecureElement: true, attributes: privateHalf.names,
      isUsable: control?.privateKeyUsage != false)
  }

  private static func add(_ key: SecKey, _ attributes: [String: Any]) throws
    -> PersistentReference?
  {
    var item = attributes
    item[kSecClass as String] = kSecClassKey
    item[kSecValueRef as String] = key
    item[kSecReturnPersistentRef as String] = kCFBooleanTrue
    var result: CFTypeRef?
    let status = SecItemAdd(item as CFDictionary, &result)
    guard status == errSecSuccess else {
      let reason = FailureReasons.last(status) ?? "The key could not be added to the keychain."
      throw StatusError(status, reason)
    }
    return try (result as? Data).map { try PersistentReference(data: $0) }
  }
}

extension SecKeyParameters {
  /// The label and the tag that the caller gives a key.
  fileprivate var names: ItemAttributes {
    var names = ItemAttributes()
    if let label = self[kSecAttrLabel] as? String { names[.label] = .text(label) }
    if let tag = self[kSecAttrApplicationTag] as? Data { names[.applicationTag] = .data(tag) }
    return names
  }
}
