// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// Returns the public key that belongs to a private key. A public key is returned unchanged.
public func SecKeyCopyPublicKey(_ key: SecKey) -> SecKey? {
  key.isPrivate ? SecKey(.publicKey, publicKey: key.publicKey) : key
}

/// Returns the external representation of a key.
///
/// The format is X9.63 for curves (04 ‖ X ‖ Y, and 04 ‖ X ‖ Y ‖ K for private keys) and PKCS#1 for
/// RSA.
///
/// - Parameter error: Set if the function returns nil: `errSecUnimplemented` if the key is a
///   private key that cannot be exported.
public func SecKeyCopyExternalRepresentation(
  _ key: SecKey, _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  error.catching {
    guard key.isExportable else {
      throw StatusError(errSecUnimplemented, "The private key cannot be exported.")
    }
    return try key.withItemValue { NSData(bytes: $0.baseAddress, length: $0.count) }
  }
}

/// Returns the attributes of a key.
///
/// The attributes include the class, type, size, application label and permitted uses of the key.
/// If the key can be exported, `kSecValueData` is its external representation.
public func SecKeyCopyAttributes(_ key: SecKey) -> CFDictionary? {
  let result = NSMutableDictionary()
  result[kSecClass] = kSecClassKey
  for (attribute, value) in key.itemAttributes where attribute != .publicKey {
    let name = attribute.rawValue as NSString
    switch (attribute, value) {
    // Apple's key classes and key types are numbers as text.
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

/// Returns the block size of a key in bytes: the size of the modulus for RSA, and the size of a
/// coordinate for curves.
public func SecKeyGetBlockSize(_ key: SecKey) -> Int {
  (key.publicKey.algorithm.keySizeInBits + 7) / 8
}

extension SecKey {
  /// True for public keys, and for private keys in memory that do not belong to the secure element.
  var isExportable: Bool {
    switch material {
    case .publicKey: true
    case .privateKey: !isInSecureElement
    case .hardware, .stored: false
    }
  }
}
