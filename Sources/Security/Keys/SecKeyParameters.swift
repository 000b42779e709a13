import AtRestCrypto
import AtRestKeychain
import AtRestSecKey
import Foundation

/// The parameters of a key: the dictionaries of `SecKeyCreateRandomKey` and related calls.
///
/// A number may also be text, as in Apple's constants.
struct SecKeyParameters {
  let values: [String: Any]

  init(_ dictionary: CFDictionary) {
    var values: [String: Any] = [:]
    for (key, value) in dictionary {
      if let name = SecKeyKeyExchangeParameter.name(of: key) { values[name] = value }
    }
    self.values = values
  }

  private init(values: [String: Any]) { self.values = values }

  subscript(_ key: CFString) -> Any? { values[key as String] }

  func number(_ key: CFString) -> Int? {
    switch self[key] {
    case let number as NSNumber: number.intValue
    case let text as String: Int(text)
    default: nil
    }
  }

  func flag(_ key: CFString) -> Bool? { (self[key] as? NSNumber)?.boolValue }

  /// Returns the parameters of the private or the public key. They include the parameters that
  /// apply to both keys, unless the dictionary of the one key overrides them.
  func half(_ key: CFString) -> SecKeyParameters {
    var merged = values
    let own = (self[key] as? NSDictionary).map { SecKeyParameters($0).values } ?? [:]
    merged[kSecPrivateKeyAttrs as String] = nil
    merged[kSecPublicKeyAttrs as String] = nil
    return SecKeyParameters(values: merged.merging(own) { _, new in new })
  }

  /// Returns the algorithm of the key to generate.
  func algorithm() throws(StatusError) -> KeyAlgorithm {
    let type = number(kSecAttrKeyType)
    guard let size = number(kSecAttrKeySizeInBits) else {
      throw StatusError(errSecParam, "The size of the key, kSecAttrKeySizeInBits, is missing.")
    }
    switch (type, size) {
    case (73, 256): return .p256
    case (73, 384): return .p384
    case (73, 521): return .p521
    case (73, 192), (73, 224), (42, 512..<2048):
      throw StatusError(
        errSecUnimplemented, "Keys of \(size) bits are too weak and are not generated.")
    case (42, KeyAlgorithm.rsaSizes):
      if size % 128 == 0, let algorithm = try? KeyAlgorithm.rsa(bits: size) { return algorithm }
    case (42, _), (73, _): break
    default: throw StatusError(errSecParam, "The key type, kSecAttrKeyType, is missing or unknown.")
    }
    throw StatusError(errSecParam, "Keys of \(size) bits are not supported.")
  }
}

extension Optional where Wrapped == UnsafeMutablePointer<Unmanaged<CFError>?> {
  /// Calls a closure. If the closure throws, sets the error that the caller receives, and returns
  /// nil.
  func catching<Result>(_ body: () throws -> Result) -> Result? {
    do {
      let result = try body()
      FailureReasons.forget()
      return result
    } catch {
      let (status, reason) = FailureReasons.note(error)
      set(status, reason ?? "\(error)")
      return nil
    }
  }
}
