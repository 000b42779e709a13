import AtRestCrypto
import AtRestKeychain
import Foundation

/// A key as an item of the keychain.
extension SecKey {
  /// Apple's name of the only token there is.
  static let secureElementToken = "com.apple.setoken"

  /// What an item that holds this key says of it: kind, size, name, and what it may be used for.
  var itemAttributes: Attributes {
    let algorithm = publicKey.algorithm
    let size = AttributeValue.number(Int64(algorithm.keySizeInBits))
    var all: Attributes = [
      .keyClass: isPrivate ? 1 : 0, .type: .number(algorithm.attributeType),
      .applicationLabel: .data(publicKey.applicationLabel),
      .keySizeInBits: size, .effectiveKeySize: size,
      .isPermanent: true, .isSensitive: .init(booleanLiteral: isInSecureElement && isPrivate),
      .isExtractable: .init(booleanLiteral: !(isInSecureElement && isPrivate)),
      .canEncrypt: .init(booleanLiteral: !isPrivate),
      // Of public keys Apple says it of RSA, as verification was decryption once.
      .canDecrypt: .init(booleanLiteral: isPrivate || algorithm.canDecrypt),
      .canDerive: .init(booleanLiteral: isPrivate && algorithm.canAgree),
      .canSign: .init(booleanLiteral: isPrivate), .canVerify: .init(booleanLiteral: !isPrivate),
      .canWrap: .init(booleanLiteral: !isPrivate), .canUnwrap: .init(booleanLiteral: isPrivate),
    ]
    // So that attributes are had, and the public half is, without opening the private one.
    if isPrivate { all[.publicKey] = .data(publicKey.derRepresentation) }
    if isInSecureElement && isPrivate { all[.tokenID] = .text(Self.secureElementToken) }
    return all
  }

  /// What an item that holds this key says as ``itemAttributes`` do, or not at all.
  var ownAttributes: [Attribute] {
    let own: [Attribute] = [.keyClass, .type, .keySizeInBits, .effectiveKeySize, .tokenID]
    return isInSecureElement && isPrivate ? own + [.isExtractable] : own
  }

  /// Calls a closure with the bytes that an item holding this key has as its value.
  ///
  /// X9.63 or PKCS#1, as applications import and export it; the bare scalar in the secure element.
  ///
  /// - Throws: What the keychain throws where the key is stored already.
  func withItemValue<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard isPrivate else { return try publicKey.externalRepresentation.withUnsafeBytes(body) }
    return try withPrivateKey { key in
      isInSecureElement
        ? try key.storage.withUnsafeBytes(body)
        : try key.externalRepresentation().withUnsafeBytes(body)
    }
  }

  /// Whether the private key of an item stays in the keychain, and is opened for each use.
  ///
  /// Such an item is fetched without its secret.
  static func staysInKeychain(_ attributes: Attributes, _ protection: Protection) -> Bool {
    attributes[.tokenID] != nil || attributes[.isExtractable] == 0
      || protection.accessControl?.privateKeyUsage == true
  }

  /// The key of an item.
  ///
  /// - Parameters:
  ///   - item: Fetched with its secret, unless ``staysInKeychain(_:_:)``.
  ///   - keychain: Where it was found.
  ///   - context: What the user showed; called for each use of a key that stays in the keychain.
  /// - Throws: `damaged` or `invalidArgument` where the item's value is no key that this module
  ///   knows.
  static func from(
    item: Item, in keychain: Keychain, context: @escaping @Sendable () -> AuthenticationContext
  ) throws -> SecKey {
    let attributes = item.attributes
    guard attributes[.keyClass] == 0 || attributes[.keyClass] == 1 else {
      throw AtRestError.invalid(
        "The item is no half of a key pair.", remedy: "Ask for its data instead.")
    }
    if attributes[.keyClass] == 1 && staysInKeychain(attributes, item.protection) {
      guard case .data(let der) = attributes[.publicKey] else {
        throw AtRestError.damaged("The item of a private key does not have its public half.")
      }
      return SecKey(
        .stored(keychain, item.reference, context), publicKey: try PublicKey(importing: der),
        isInSecureElement: attributes[.tokenID] != nil, attributes: attributes,
        decrypts: item.protection.accessControl?.privateKeyUsage != true,
        isUsable: attributes[.tokenID] == nil
          || item.protection.accessControl?.privateKeyUsage != false)
    }
    let key = try item.withSecret { bytes in
      try SecKey(
        stored: bytes, type: attributes[.type], isPrivate: attributes[.keyClass] == 1,
        attributes: attributes)
    }
    guard let key else {
      throw AtRestError.damaged("The item of a key has no value.")
    }
    return key
  }

  /// Reads the value of an item: the type says of which family it is, its count of which size.
  convenience init(
    stored bytes: UnsafeRawBufferPointer, type: AttributeValue?, isPrivate: Bool,
    attributes: Attributes = [:]
  ) throws {
    switch type {
    case 73:
      if isPrivate {
        let secret = SecretBytes(copying: bytes)
        // Keys of AtRestKeychain itself are bare scalars.
        if let curve = KeyAlgorithm(attributes), bytes.count == (curve.keySizeInBits + 7) / 8 {
          let key = try PrivateKey(stored: secret, algorithm: curve)
          self.init(key, attributes: attributes)
        } else {
          self.init(try PrivateKey(x963Representation: secret), attributes: attributes)
        }
      } else {
        self.init(
          .publicKey, publicKey: try PublicKey(x963Representation: Data(bytes)),
          attributes: attributes)
      }
    case 42:
      if isPrivate {
        self.init(
          try PrivateKey(pkcs1Representation: SecretBytes(copying: bytes)),
          attributes: attributes)
      } else {
        self.init(
          .publicKey, publicKey: try PublicKey(rsaRepresentation: Data(bytes)),
          attributes: attributes)
      }
    default:
      guard isPrivate, let algorithm = KeyAlgorithm(attributes) else {
        throw AtRestError.invalid(
          "A key of type \(type?.description ?? "none") is not known.",
          remedy: "Use RSA or a NIST curve.")
      }
      // Curve25519, which AtRestKeychain stores and Apple has no type for.
      self.init(
        try PrivateKey(stored: SecretBytes(copying: bytes), algorithm: algorithm),
        attributes: attributes)
    }
  }

  /// A private key in memory.
  convenience init(
    _ key: borrowing PrivateKey, isInSecureElement: Bool = false, attributes: Attributes = [:]
  ) {
    self.init(
      .privateKey(SecretBox(key.storage.duplicate())), publicKey: key.publicKey,
      isInSecureElement: isInSecureElement, attributes: attributes)
  }
}

extension PublicKey {
  /// X9.63 of a NIST curve, PKCS#1 of RSA, 32 bytes of Curve25519.
  var externalRepresentation: Data {
    get throws {
      switch algorithm {
      case .p256, .p384, .p521: try x963Representation()
      case .ed25519, .x25519: try rawRepresentation()
      default: try pkcs1Representation()
      }
    }
  }

  /// Takes RSA's PKCS#1, or SubjectPublicKeyInfo, which Apple's systems take too.
  init(rsaRepresentation der: Data) throws {
    // Text is what PEM is, and no key of Keychain Services.
    guard der.first == 0x30, case let key = try PublicKey(importing: der),
      (try? key.pkcs1Representation()) != nil
    else {
      throw AtRestError.invalid("The bytes are no RSA public key.", remedy: "Expected is PKCS#1.")
    }
    self = key
  }
}

extension PrivateKey {
  /// X9.63 of a NIST curve, PKCS#1 of RSA, 32 bytes of Curve25519.
  borrowing func externalRepresentation() throws -> SecretBytes {
    switch algorithm {
    case .p256, .p384, .p521: try x963Representation()
    case .ed25519, .x25519: try rawRepresentation()
    default: try pkcs1Representation()
    }
  }

  /// Takes RSA's PKCS#1.
  init(pkcs1Representation der: borrowing SecretBytes) throws {
    let isElement = der.withUnsafeBytes { $0.first == 0x30 }
    guard isElement else {
      throw AtRestError.invalid(
        "The bytes are no RSA private key.", remedy: "Expected is PKCS#1.")
    }
    let key = try PrivateKey(importing: der)
    _ = try key.publicKey.pkcs1Representation()
    self = key
  }
}
