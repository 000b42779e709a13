import AtRestCrypto
import AtRestKeychain
import Foundation

/// The public half of a key; of a public key itself.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  key.isPrivate ? SecKey(.publicKey, publicKey: key.publicKey) : key
}

/// The bytes of a key: X9.63 for curves (04 ‖ X ‖ Y, and ‖ K of private keys), PKCS#1 for RSA.
///
/// - Parameter error: Set where nil is returned: `errSecUnimplemented` for a private key that may not
///   leave the keychain.
public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  error.catching {
    guard key.isExportable else {
      throw StatusError(errSecUnimplemented, "The private key may not leave the keychain.")
    }
    return try key.withItemValue { NSData(bytes: $0.baseAddress, length: $0.count) }
  }
}

/// What is known of a key: its class, type, size and application label, what it can do, and its
/// bytes as `kSecValueData` where it may be exported.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  let result = NSMutableDictionary()
  result[kSecClass] = kSecClassKey
  for (attribute, value) in key.itemAttributes where attribute != .publicKey {
    let name = attribute.rawValue as NSString
    switch (attribute, value) {
    // Apple's numbers of kinds are text.
    case (.keyClass, .number(let number)), (.type, .number(let number)):
      result[name] = String(number) as NSString
    case (.keySizeInBits, .number(let number)), (.effectiveKeySize, .number(let number)):
      result[name] = NSNumber(value: number)
    case (_, .number(let number)): result[name] = NSNumber(value: number != 0)
    case (_, .data(let data)): result[name] = data as NSData
    case (_, .text(let text)): result[name] = text as NSString
    case (_, .date(let date)): result[name] = date as NSDate
    }
  }
  if key.isInSecureElement {
    switch key.attributes[.label] {
    case .text(let label): result[kSecAttrLabel] = label as NSString
    case .data(let label): result[kSecAttrLabel] = label as NSData
    default: break
    }
    switch key.attributes[.applicationTag] {
    case .text(let tag): result[kSecAttrApplicationTag] = tag as NSString
    case .data(let tag): result[kSecAttrApplicationTag] = tag as NSData
    default: break
    }
  }
  if key.isExportable, let data = SecKeyCopyExternalRepresentation(key, nil) {
    result[kSecValueData] = data
  }
  return result
}

/// The bytes of a block: of the modulus for RSA, of a coordinate for curves.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
  (key.publicKey.algorithm.keySizeInBits + 7) / 8
}

extension SecKey {
  /// Public keys, and private ones in memory that were not made in the secure element.
  var isExportable: Bool {
    switch material {
    case .publicKey: true
    case .privateKey: !isInSecureElement
    case .stored: false
    }
  }
}
