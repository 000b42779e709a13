import AtRestCrypto
import AtRestKeychain
import Foundation

/// Conversions between keys and keychain items.
extension SecKey {
  /// Apple's identifier of the secure element, the only token.
  static let secureElementToken = "com.apple.setoken"

  /// The attributes of an item that holds this key: its type, size, names and permitted uses.
  var itemAttributes: ItemAttributes {
    let algorithm = publicKey.algorithm
    let size = ItemAttributeValue.number(Int64(algorithm.keySizeInBits))
    var all: ItemAttributes = [
      .keyClass: isPrivate ? 1 : 0, .type: .number(algorithm.attributeType),
      .applicationLabel: .data(publicKey.applicationLabel),
      .keySizeInBits: size, .effectiveKeySize: size,
      .isPermanent: true, .isSensitive: .init(booleanLiteral: isInSecureElement && isPrivate),
      .isExtractable: .init(booleanLiteral: !(isInSecureElement && isPrivate)),
      .canEncrypt: .init(booleanLiteral: !isPrivate),
      // Apple sets this for public RSA keys too, because verification used to be called decryption.
      .canDecrypt: .init(booleanLiteral: isPrivate || algorithm.canDecrypt),
      .canDerive: .init(booleanLiteral: isPrivate && algorithm.canAgree),
      .canSign: .init(booleanLiteral: isPrivate), .canVerify: .init(booleanLiteral: !isPrivate),
      .canWrap: .init(booleanLiteral: !isPrivate), .canUnwrap: .init(booleanLiteral: isPrivate),
    ]
    // The public key is stored too, so that it and the attributes are available without opening the
    // private key.
    if isPrivate { all[.publicKey] = .data(publicKey.derRepresentation) }
    if isInSecureElement && isPrivate { all[.tokenID] = .text(Self.secureElementToken) }
    return all
  }

  /// The attributes whose values come from the key. A caller cannot set other values.
  var ownAttributes: [ItemAttribute] {
    let own: [ItemAttribute] = [.keyClass, .type, .keySizeInBits, .effectiveKeySize, .tokenID]
    return isInSecureElement && isPrivate ? own + [.isExtractable] : own
  }

  /// Calls a closure with the bytes that an item stores for this key.
  ///
  /// The bytes have the format in which applications import and export keys: X9.63 or PKCS#1. For a
  /// private key in the secure element, the bytes are the bare scalar, or the stored form of a key
  /// in hardware.
  ///
  /// - Throws: The errors of the keychain if the private key is stored in it.
  func withItemValue<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) throws -> Result {
    guard isPrivate else { return try publicKey.externalRepresentation.withUnsafeBytes(body) }
    if case .hardware(let key) = material {
      return try key.key.representation.withUnsafeBytes(body)
    }
    return try withPrivateKey { key in
      try key.withSoftwareKey { key in
        isInSecureElement
          ? try key.storage.withUnsafeBytes(body)
          : try key.externalRepresentation().withUnsafeBytes(body)
      }
    }
  }

  /// Returns true if the private key of an item stays in the keychain and is opened for each use.
  ///
  /// Such an item is fetched without its secret.
  static func staysInKeychain(_ attributes: ItemAttributes, _ protection: ItemProtection) -> Bool {
    attributes[.tokenID] != nil || attributes[.isExtractable] == 0
      || protection.accessControl?.privateKeyUsage == true
  }

  /// Creates the key that an item holds.
  ///
  /// - Parameters:
  ///   - item: The item, fetched with its secret unless ``staysInKeychain(_:_:)`` is true.
  ///   - keychain: The keychain that holds the item.
  ///   - context: A closure that returns the authentication context. A key that stays in the
  ///     keychain calls the closure for each use.
  /// - Throws: `damaged` or `invalidArgument` if the item's value is not a key that this module
  ///   supports.
  static func from(
    item: KeychainItem, in keychain: Keychain,
    context: @escaping @Sendable () -> AuthenticationContext
  ) throws -> SecKey {
    let attributes = item.attributes
    guard attributes[.keyClass] == 0 || attributes[.keyClass] == 1 else {
      throw AtRestError.invalid(
        "The item is not a public or private key.", remedy: "Request its data instead.")
    }
    if attributes[.keyClass] == 1 && staysInKeychain(attributes, item.protection) {
      guard case .data(let der) = attributes[.publicKey] else {
        throw AtRestError.damaged("The item of a private key does not contain the public key.")
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

  /// Reads a key from the value of an item.
  ///
  /// The type determines the family of the key, and the number of bytes determines the key size.
  convenience init(
    stored bytes: UnsafeRawBufferPointer, type: ItemAttributeValue?, isPrivate: Bool,
    attributes: ItemAttributes = [:]
  ) throws {
    switch type {
    case 73:
      if isPrivate {
        let secret = SecretBytes(copying: bytes)
        // AtRestKeychain stores its own keys as bare scalars.
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
          "The key type \(type?.description ?? "none") is not supported.",
          remedy: "Use RSA or a NIST curve.")
      }
      // AtRestKeychain also stores Curve25519 keys, for which Apple has no type.
      self.init(
        try PrivateKey(stored: SecretBytes(copying: bytes), algorithm: algorithm),
        attributes: attributes)
    }
  }

  /// Creates a private key that is held in memory.
  convenience init(
    _ key: borrowing PrivateKey, isInSecureElement: Bool = false, attributes: ItemAttributes = [:]
  ) {
    self.init(
      .privateKey(SecretBox(key.storage.duplicate())), publicKey: key.publicKey,
      isInSecureElement: isInSecureElement, attributes: attributes)
  }
}

extension PublicKey {
  /// The key in its external form: X9.63 for a NIST curve, PKCS#1 for RSA, 32 bytes for Curve25519.
  var externalRepresentation: Data {
    get throws {
      switch algorithm {
      case .p256, .p384, .p521: try x963Representation()
      case .ed25519, .x25519: try rawRepresentation()
      default: try pkcs1Representation()
      }
    }
  }

  /// Reads an RSA public key in PKCS#1 form or as SubjectPublicKeyInfo. Apple's systems accept
  /// both.
  init(rsaRepresentation der: Data) throws {
    // This check excludes PEM, which Keychain Services does not accept.
    guard der.first == 0x30, case let key = try PublicKey(importing: der),
      (try? key.pkcs1Representation()) != nil
    else {
      throw AtRestError.invalid(
        "The bytes are not an RSA public key.", remedy: "Pass the key in PKCS#1 form.")
    }
    self = key
  }
}

extension PrivateKey {
  /// Returns the key in its external form: X9.63 for a NIST curve, PKCS#1 for RSA, 32 bytes for
  /// Curve25519.
  borrowing func externalRepresentation() throws -> SecretBytes {
    switch algorithm {
    case .p256, .p384, .p521: try x963Representation()
    case .ed25519, .x25519: try rawRepresentation()
    default: try pkcs1Representation()
    }
  }

  /// Reads an RSA private key in PKCS#1 form.
  init(pkcs1Representation der: borrowing SecretBytes) throws {
    let isElement = der.withUnsafeBytes { $0.first == 0x30 }
    guard isElement else {
      throw AtRestError.invalid(
        "The bytes are not an RSA private key.", remedy: "Pass the key in PKCS#1 form.")
    }
    let key = try PrivateKey(importing: der)
    _ = try key.publicKey.pkcs1Representation()
    self = key
  }
}
