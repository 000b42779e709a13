@_spi(Tools) import AtRestCrypto
import Foundation

/// The wire form of the public areas that AtRest makes: `TPM2B_PUBLIC`, a 16-bit count and a
/// `TPMT_PUBLIC` (TPM 2.0 Library, part 2, section 12.2.4).
enum TPMPublic {
  /// The template of the storage primary key: ECC P-256, restricted, decrypt, fixedTPM, fixedParent,
  /// sensitiveDataOrigin, userWithAuth, noDA, AES-128-CFB, no scheme, an empty unique field.
  ///
  /// It is the key that draft-bottomley-tpm2-keys means by the parent 0x40000001, so that other
  /// programs find the same key. Its attributes are 0x30472.
  static let primaryTemplate: [UInt8] = eccTemplate(
    [
      .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .noDA, .restricted, .decrypt,
    ], isStorage: true)

  /// The template of a key for signatures and key agreement: P-256, no scheme, so that each call
  /// chooses one.
  static func keyTemplate(isProtected: Bool) -> [UInt8] {
    var attributes: TPMObjectAttributes = [
      .fixedTPM, .fixedParent, .sensitiveDataOrigin, .userWithAuth, .sign, .decrypt,
    ]
    if !isProtected { attributes.insert(.noDA) }
    return eccTemplate(attributes, isStorage: false)
  }

  /// The template of a sealed object.
  ///
  /// - Parameters:
  ///   - isProtected: True if the object has an authorization value, to which the TPM's
  ///     dictionary-attack protection applies.
  ///   - policy: The policy digest, which is empty for an object without a policy.
  static func sealedTemplate(isProtected: Bool, policy: [UInt8]) -> [UInt8] {
    var attributes: TPMObjectAttributes = [.fixedTPM, .fixedParent]
    if policy.isEmpty { attributes.insert(.userWithAuth) }
    if !isProtected { attributes.insert(.noDA) }
    var area = ByteWriter()
    area.integer(TPMConstants.keyedHash)
    area.integer(TPMConstants.sha256)
    area.integer(attributes.rawValue)
    area.sized(policy)
    area.integer(TPMConstants.null)
    area.sized([])
    return sized(area.bytes)
  }

  private static func eccTemplate(_ attributes: TPMObjectAttributes, isStorage: Bool) -> [UInt8] {
    var area = ByteWriter()
    area.integer(TPMConstants.ecc)
    area.integer(TPMConstants.sha256)
    area.integer(attributes.rawValue)
    area.sized([])
    if isStorage {
      area.integer(TPMConstants.aes)
      area.integer(UInt16(128))
      area.integer(TPMConstants.cfb)
    } else {
      area.integer(TPMConstants.null)
    }
    area.integer(TPMConstants.null)
    area.integer(TPMConstants.p256)
    area.integer(TPMConstants.null)
    area.sized([])
    area.sized([])
    return sized(area.bytes)
  }

  private static func sized(_ area: [UInt8]) -> [UInt8] {
    var writer = ByteWriter()
    writer.sized(area)
    return writer.bytes
  }

  /// True if a public area was made from a template, which differs from it only in the unique field.
  static func isMade(_ area: [UInt8], from template: [UInt8]) -> Bool {
    // The templates of ECC keys end with two empty coordinates. The first two bytes are the count.
    let fixed = template.count - 4
    return area.count == fixed + 4 + 64
      && area[2..<fixed].elementsEqual(template[2..<fixed])
      && area[fixed..<fixed + 2].elementsEqual([0, 32])
      && area[fixed + 34..<fixed + 36].elementsEqual([0, 32])
  }

  /// Returns the public key, in X9.63 form (65 bytes), of a P-256 key made from one of the key
  /// templates, or nil if the area is anything else.
  static func publicKey(of area: [UInt8]) -> Data? {
    let isKey = [true, false].contains { isMade(area, from: keyTemplate(isProtected: $0)) }
    guard isKey else { return nil }
    let unique = area.suffix(68)
    return Data([0x04]) + unique.dropFirst(2).prefix(32) + unique.suffix(32)
  }
}

extension ByteWriter {
  /// Appends bytes preceded by their count as 16 bits: a `TPM2B` structure.
  mutating func sized(_ bytes: [UInt8]) {
    integer(UInt16(bytes.count))
    fixed(bytes)
  }

  /// Appends a secret preceded by its count as 16 bits. The writer must be erased.
  mutating func sized(_ secret: borrowing SecretBytes) {
    integer(UInt16(secret.count))
    secret.withUnsafeBytes { fixed($0) }
  }
}

extension ByteReader {
  /// Returns bytes that are preceded by their count as 16 bits, with that count.
  mutating func sizedStructure(limit: Int) throws -> [UInt8] {
    let count = Int(try integer(UInt16.self))
    guard count <= limit else {
      throw AtRestError.damaged(
        "An object of the TPM claims \(count) bytes; at most \(limit) are allowed.")
    }
    var writer = ByteWriter(capacity: count + 2)
    writer.sized([UInt8](try fixed(count)))
    return writer.bytes
  }
}
