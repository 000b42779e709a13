import AtRestCrypto
import AtRestKeychain
import Foundation

/// Makes a key pair.
///
/// - Parameters:
///   - parameters: `kSecAttrKeyType` (RSA or `kSecAttrKeyTypeECSECPrimeRandom`) and
///     `kSecAttrKeySizeInBits` (RSA 2048 to 4096, in steps of 128; curves 256, 384, 521). With
///     `kSecAttrIsPermanent`, here or in `kSecPrivateKeyAttrs` and `kSecPublicKeyAttrs`, halves are
///     added to the keychain, with what else is said of them there. With `kSecAttrTokenID` of
///     `kSecAttrTokenIDSecureEnclave` (256-bit curves) the private half never leaves: it is
///     permanent unless it is said not to be, and opened in the keychain for each use; where it has
///     access control, that needs private-key usage, which no key outside may have.
///   - error: Set where nil is returned: `errSecParam`; `errSecUnimplemented` for keys too weak to
///     be made; what `SecItemAdd` returned.
/// - Returns: The private half.
public func SecKeyCreateRandomKey(
  _ parameters: CFDictionary, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  error.catching { try SecKey.generate(SecKeyParameters(parameters)) }
}

/// Makes a key pair: ``SecKeyCreateRandomKey(_:_:)``, with both halves as results.
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

/// Makes a key of its external representation.
///
/// - Parameters:
///   - keyData: X9.63 for curves (04 ‖ X ‖ Y, and ‖ K of private keys), PKCS#1 for RSA.
///   - attributes: `kSecAttrKeyType` and `kSecAttrKeyClass`. The size is that of the data.
///   - error: Set where nil is returned: `errSecParam` where the data is no such key, or RSA below
///     2,048 bits; `errSecUnimplemented` for symmetric keys and tokens.
public func SecKeyCreateWithData(
  _ keyData: CFData, _ attributes: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> SecKey? {
  error.catching {
    let parameters = SecKeyParameters(attributes)
    guard parameters[kSecAttrTokenID] == nil else {
      throw StatusError(errSecUnimplemented, "No key is imported into the secure element.")
    }
    let keyClass = parameters.number(kSecAttrKeyClass)
    guard let type = parameters.number(kSecAttrKeyType), keyClass == 0 || keyClass == 1 else {
      throw StatusError(
        keyClass == 2 ? errSecUnimplemented : errSecParam,
        "The key type or key class is missing, or none of key pairs.")
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
        errSecParam, "There is one token, the secure element, and it makes keys of P-256 alone.")
    }
    let privateHalf = parameters.half(kSecPrivateKeyAttrs)
    let control =
      (privateHalf[kSecAttrAccessControl] as? SecAccessControl)?.protection.accessControl
    guard isInSecureElement || control?.privateKeyUsage != true else {
      throw StatusError(
        errSecParam, "Private-key usage is of keys in the secure element, kSecAttrTokenID.")
    }
    let key = SecKey(try PrivateKey.generate(algorithm), isInSecureElement: isInSecureElement)
    var publicHalf = parameters.half(kSecPublicKeyAttrs).values
    if (publicHalf[kSecAttrIsPermanent as String] as? NSNumber)?.boolValue == true {
      publicHalf[kSecAttrTokenID as String] = nil
      _ = try add(SecKey(.publicKey, publicKey: key.publicKey), publicHalf)
    }
    guard privateHalf.flag(kSecAttrIsPermanent) ?? isInSecureElement else { return key }
    guard let reference = try add(key, privateHalf.values), isInSecureElement else { return key }
    let holder = privateHalf[kSecUseAuthenticationContext] as? any AuthenticationContextHolder
    let shown = holder?.authenticationContext(reason: nil, interaction: nil)
    return SecKey(
      .stored(try DefaultKeychain.get(), reference) { shown ?? AuthenticationContext() },
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
      throw StatusError(status, "The key could not be added to the keychain.")
    }
    return try (result as? Data).map { try PersistentReference(data: $0) }
  }
}

extension SecKeyParameters {
  /// The names that the caller gives a key.
  fileprivate var names: Attributes {
    var names = Attributes()
    if let label = self[kSecAttrLabel] as? String { names[.label] = .text(label) }
    if let tag = self[kSecAttrApplicationTag] as? Data { names[.applicationTag] = .data(tag) }
    return names
  }
}
