import AtRestCrypto
import Foundation

/// The form of a private key as an item.
extension PrimaryKey {
  /// Creates the primary key of the item that holds a private key.
  init(privateHalfOf publicKey: PublicKey, _ name: KeychainOperation.KeyName) {
    let algorithm = publicKey.algorithm
    let size = ItemAttributeValue.number(Int64(algorithm.keySizeInBits))
    self.init(
      unchecked: .key,
      [
        .keyClass: .privateKey, .applicationTag: .data(Data(name.tag.utf8)),
        .applicationLabel: .data(publicKey.applicationLabel),
        .type: .number(algorithm.attributeType), .keySizeInBits: size, .effectiveKeySize: size,
      ], group: name.group, synchronizable: false)
  }
}

extension ItemAttributes {
  /// Creates the further attributes of the item that holds a private key.
  init(
    privateHalfOf publicKey: PublicKey, _ traits: KeychainOperation.KeyTraits, isHardwareKey: Bool
  ) {
    let algorithm = publicKey.algorithm
    self = [
      .isPermanent: true, .isExtractable: .init(booleanLiteral: traits.isExtractable),
      .canSign: .init(booleanLiteral: algorithm.canSign),
      .canDerive: .init(booleanLiteral: algorithm.canAgree),
      .canDecrypt: .init(booleanLiteral: algorithm.canDecrypt),
      .publicKey: .data(publicKey.derRepresentation),
    ]
    if let label = traits.label { self[.label] = .text(label) }
    if isHardwareKey { self[.tokenID] = .secureElement }
  }
}

extension KeychainQuery {
  /// Creates the query that finds the private key with a tag.
  init(keyTag tag: String, group: String?) {
    self.init(
      .key, [.applicationTag: .data(Data(tag.utf8)), .keyClass: .privateKey], group: group)
  }
}

extension ItemAttributeValue {
  /// Apple's number for private keys.
  fileprivate static let privateKey = ItemAttributeValue.number(1)
  /// Apple's name of the secure element.
  fileprivate static let secureElement = ItemAttributeValue.text("com.apple.setoken")
}

extension KeyAlgorithm {
  /// The value of the attribute ``ItemAttribute/type``: Apple's number for RSA or elliptic curves,
  /// or a four-letter code for an algorithm to which Apple gives no number.
  package var attributeType: Int64 {
    switch self {
    case .p256, .p384, .p521: 73
    case .ed25519: 0x6564_3235
    case .x25519: 0x7832_3535
    default: 42
    }
  }

  package init?(_ attributes: ItemAttributes) {
    guard case .number(let type) = attributes[.type],
      case .number(let size) = attributes[.keySizeInBits]
    else { return nil }
    switch (type, size) {
    case (73, 256): self = .p256
    case (73, 384): self = .p384
    case (73, 521): self = .p521
    case (0x6564_3235, _): self = .ed25519
    case (0x7832_3535, _): self = .x25519
    case (42, 2048...4096):
      guard let rsa = try? KeyAlgorithm.rsa(bits: Int(size)) else { return nil }
      self = rsa
    default: return nil
    }
  }
}
