import Crypto
import CryptoExtras
import Foundation

/// A public key, for verifying signatures, encrypting, or agreeing on a shared secret.
///
/// ```swift
/// let key = try PublicKey(importing: Data(contentsOf: file))       // PEM or DER
/// guard try key.isValidSignature(signature, for: message) else { … }
/// ```
///
/// A value of this type is always a valid key of its ``algorithm``: points are on their curve, and
/// RSA keys have 2,048 to 4,096 bits.
///
/// ## Topics
/// Import: ``init(importing:)``, ``init(x963Representation:)``,
/// ``init(rawRepresentation:algorithm:)``.
/// Export: ``pemRepresentation``, ``derRepresentation``, ``x963Representation()``,
/// ``rawRepresentation()``, ``pkcs1Representation()``.
/// Use: ``isValidSignature(_:for:scheme:)``, ``encrypt(_:padding:)``, `applicationLabel`.
public struct PublicKey: Hashable, Sendable {
  /// The algorithm of the key, with its size.
  public let algorithm: KeyAlgorithm
  /// The X9.63 point of a NIST curve, the 32 bytes of a Curve25519 key, or the PKCS#1 DER of an RSA
  /// key.
  let bytes: Data

  /// Creates a key from bytes that are known to be a valid key.
  init(unchecked bytes: Data, algorithm: KeyAlgorithm) {
    self.bytes = bytes
    self.algorithm = algorithm
  }

  /// True if this is an X25519 key of low order. Every agreement with such a key gives zero, so its
  /// sender knows the result without a private key (RFC 7748, section 6.1).
  package var isOfLowOrder: Bool {
    guard algorithm == .x25519 else { return false }
    // Any private key gives zero: every X25519 scalar is a multiple of the orders of these points.
    return (try? PrivateKey.generate(.x25519).sharedSecret(with: self).count) == nil
  }

  /// Reads a key from PEM or DER.
  ///
  /// The accepted formats are SubjectPublicKeyInfo (`PUBLIC KEY`, RFC 5280, RFC 8410) and PKCS#1
  /// (`RSA PUBLIC KEY`, RFC 8017). Points of NIST curves must be uncompressed.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the bytes have another format, are damaged,
  ///   or contain a key of another algorithm or size.
  public init(importing bytes: Data) throws {
    do {
      self = try bytes.withUnsafeBytes { try Self.read($0) }
    } catch let error as DERError {
      throw AtRestError.invalid(
        "The public key cannot be read: \(error.reason).",
        remedy: "Use PEM or DER of SubjectPublicKeyInfo or PKCS#1.")
    }
  }

  /// Creates a P-256, P-384 or P-521 key from its X9.63 form: 04 ‖ X ‖ Y.
  ///
  /// - Parameter point: 65, 97 or 133 bytes. The count determines the curve.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other sizes and for points that are not on
  ///   the curve.
  public init(x963Representation point: Data) throws {
    let algorithms: [KeyAlgorithm] = [.p256, .p384, .p521]
    guard let algorithm = algorithms.first(where: { 1 + 2 * $0.rawCount == point.count }) else {
      throw AtRestError.invalid(
        "An X9.63 public key does not have \(point.count) bytes.",
        remedy: "Use a key of 65 bytes (P-256), 97 (P-384) or 133 (P-521).")
    }
    do {
      self = try Self.point(point, of: algorithm)
    } catch let error as DERError {
      throw AtRestError.invalid(
        "The X9.63 public key is not valid: \(error.reason).",
        remedy: "Use 04 ‖ X ‖ Y of a point on \(algorithm).")
    }
  }

  /// Creates a key from its raw form: X ‖ Y for NIST curves, 32 bytes for Curve25519.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the bytes are not a key of the algorithm, or
  ///   if the algorithm is RSA, which has no raw form.
  public init(rawRepresentation bytes: Data, algorithm: KeyAlgorithm) throws {
    do {
      if algorithm.curve != nil {
        self = try Self.point([4] + bytes, of: algorithm)
      } else {
        self = try Self.curve25519(bytes, of: algorithm)
      }
    } catch let error as DERError {
      let expected =
        switch algorithm.family {
        case .rsa: "Import RSA keys as PEM or DER."
        case .ed25519, .x25519: "Use a key of 32 bytes."
        case .p256, .p384, .p521: "Use a key of \(2 * algorithm.rawCount) bytes, X ‖ Y."
        }
      throw AtRestError.invalid(
        "The raw public key of algorithm \(algorithm) is not valid: \(error.reason).",
        remedy: expected)
    }
  }

  // MARK: Export

  /// SubjectPublicKeyInfo in PEM (`PUBLIC KEY`, RFC 7468), ending with a newline.
  public var pemRepresentation: String {
    let base64 = derRepresentation.base64EncodedString(
      options: [.lineLength64Characters, .endLineWithLineFeed])
    return "-----BEGIN PUBLIC KEY-----\n\(base64)\n-----END PUBLIC KEY-----\n"
  }

  /// SubjectPublicKeyInfo in DER: RFC 5280, RFC 5480, RFC 8410.
  public var derRepresentation: Data {
    let identifier = algorithm.algorithmIdentifier
    let key = DER.element(DER.bitString, [0] + bytes)
    return Data(DER.element(DER.sequence, identifier + key))
  }

  /// Returns the X9.63 form 04 ‖ X ‖ Y, as Apple's `SecKeyCopyExternalRepresentation` does.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is not on a NIST curve.
  public func x963Representation() throws -> Data {
    guard algorithm.curve != nil else { throw Self.noForm("X9.63", algorithm) }
    return bytes
  }

  /// Returns the raw form: X ‖ Y for NIST curves, 32 bytes for Curve25519.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for RSA.
  public func rawRepresentation() throws -> Data {
    guard algorithm.family != .rsa else { throw Self.noForm("raw", algorithm) }
    return algorithm.curve == nil ? bytes : Data(bytes.dropFirst())
  }

  /// Returns PKCS#1 DER (RFC 8017, A.1.1), as Apple's `SecKeyCopyExternalRepresentation` does.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is not an RSA key.
  public func pkcs1Representation() throws -> Data {
    guard algorithm.family == .rsa else { throw Self.noForm("PKCS#1", algorithm) }
    return bytes
  }

  /// The 20 bytes by which a keychain finds the key pair: `kSecAttrApplicationLabel`.
  ///
  /// As in Apple's Security framework, the label is the SHA-1 of the X9.63 point, of an RSA key's
  /// PKCS#1 DER, or of a raw Curve25519 key. It is a name and protects nothing.
  package var applicationLabel: Data { Data(Insecure.SHA1.hash(data: bytes)) }

  // MARK: Use

  /// Returns true if a signature is this key's signature of a message.
  ///
  /// - Parameters:
  ///   - signature: The output of ``PrivateKey/signature(for:scheme:)``. Malformed signatures are
  ///     not valid.
  ///   - message: The message that was signed, not its hash.
  ///   - scheme: The signature scheme. nil selects ``KeyAlgorithm/defaultSignatureScheme``.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of this algorithm do not sign, or do
  ///   not support this scheme.
  public func isValidSignature(
    _ signature: some DataProtocol, for message: some DataProtocol,
    scheme: SignatureScheme? = nil
  ) throws -> Bool {
    let scheme = try SignatureScheme.resolved(scheme, for: algorithm)
    if let curve = algorithm.curve {
      return curve.isValid(Data(signature), for: scheme.digest(of: message), by: bytes)
    }
    if algorithm.family == .ed25519 {
      return try Curve25519.Signing.PublicKey(rawRepresentation: bytes)
        .isValidSignature(Data(signature), for: message)
    }
    let key = try _RSA.Signing.PublicKey(derRepresentation: bytes)
    let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
    return Self.isValid(signature, for: scheme.digest(of: message), by: key, scheme: scheme)
  }

  // A separate function, to open the digest's existential.
  private static func isValid(
    _ signature: _RSA.Signing.RSASignature, for digest: some Digest,
    by key: _RSA.Signing.PublicKey, scheme: SignatureScheme
  ) -> Bool {
    key.isValidSignature(signature, for: digest, padding: scheme.rsaPadding)
  }

  /// Encrypts a short secret, such as a key, to the holder of the private key: RSA-OAEP, RFC 8017.
  ///
  /// - Parameters:
  ///   - secret: At most `EncryptionPadding.maximumMessageCount(for:)` bytes.
  ///   - padding: The padding.
  /// - Returns: As many bytes as the modulus has.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the secret is too long or the key is not
  ///   RSA.
  public func encrypt(
    _ secret: borrowing SecretBytes, padding: EncryptionPadding = .oaepSHA256
  ) throws -> Data {
    guard algorithm.canDecrypt else {
      throw AtRestError.invalid(
        "A key of algorithm \(algorithm) cannot encrypt.",
        remedy: "Use an RSA key, or agree on a shared secret and seal with a key derived from it.")
    }
    let limit = padding.maximumMessageCount(for: algorithm)
    guard secret.count <= limit else {
      throw AtRestError.invalid(
        "A secret of \(secret.count) bytes is too long for \(algorithm) with \(padding).",
        remedy: "Encrypt at most \(limit) bytes, such as a key that seals the rest.")
    }
    let key = try _RSA.Encryption.PublicKey(derRepresentation: bytes)
    return try Remains.erased(after: .deep) {
      try secret.withUnsafeBytes { try key.encrypt($0, padding: padding.implementation) }
    }
  }

  // MARK: Reading

  private static func noForm(_ form: String, _ algorithm: KeyAlgorithm) -> AtRestError {
    .invalid(
      "A key of algorithm \(algorithm) has no \(form) form.",
      remedy: "Export it as PEM or DER, which work for every key.")
  }

  private static func read(_ bytes: UnsafeRawBufferPointer) throws -> PublicKey {
    guard !isWholeElement(bytes) else { return try readDER(bytes) }
    guard PEM.isPresent(in: bytes) else { throw DERError("it is neither PEM nor complete DER") }
    let block = try PEM(reading: bytes)
    return try block.content.withUnsafeBytes { content in
      switch block.label {
      case "PUBLIC KEY": try readInfo(content)
      case "RSA PUBLIC KEY": try rsa(content)
      case "CERTIFICATE": throw DERError("it is a certificate; extract its key first")
      case let label where label.hasSuffix("PRIVATE KEY"):
        throw DERError("it is a private key; import that, and take its public key")
      default: throw DERError("its PEM label is not PUBLIC KEY or RSA PUBLIC KEY")
      }
    }
  }

  /// Returns true if the bytes are exactly one DER SEQUENCE. Its tag is also the character `0`, but
  /// text that begins with `0` does not have the right length.
  static func isWholeElement(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var reader = DERReader(bytes)
    return (try? reader.read(DER.sequence)) != nil && reader.isAtEnd
  }

  private static func readDER(_ bytes: UnsafeRawBufferPointer) throws -> PublicKey {
    var outer = DERReader(bytes)
    return try outer.enter(DER.sequence).tag == DER.integer ? rsa(bytes) : readInfo(bytes)
  }

  private static func readInfo(_ bytes: UnsafeRawBufferPointer) throws -> PublicKey {
    var outer = DERReader(bytes)
    var info = try outer.enter(DER.sequence)
    try outer.finish()
    let identified = try KeyAlgorithm.identified(by: info.enter(DER.sequence))
    let key = try info.readBits()
    try info.finish()
    switch identified {
    case .rsa: return try rsa(key)
    case .algorithm(let algorithm):
      return algorithm.curve == nil
        ? try curve25519(Data(key), of: algorithm) : try point(Data(key), of: algorithm)
    }
  }

  private static func point(_ point: Data, of algorithm: KeyAlgorithm) throws -> PublicKey {
    guard let curve = algorithm.curve, point.count == 1 + 2 * algorithm.rawCount,
      point.first == 4
    else { throw DERError("it is not an uncompressed point of \(algorithm)") }
    do { try curve.check(point: point) } catch {
      throw DERError("it is not a point on \(algorithm)")
    }
    return PublicKey(unchecked: point, algorithm: algorithm)
  }

  private static func curve25519(_ bytes: Data, of algorithm: KeyAlgorithm) throws -> PublicKey {
    guard algorithm.family != .rsa else { throw DERError("RSA keys have no raw form") }
    guard bytes.count == 32 else { throw DERError("it has \(bytes.count) bytes") }
    return PublicKey(unchecked: bytes, algorithm: algorithm)
  }

  private static func rsa(_ bytes: UnsafeRawBufferPointer) throws -> PublicKey {
    guard isWholeElement(bytes), let key = try? _RSA.Signing.PublicKey(derRepresentation: bytes)
    else { throw DERError("it is not an RSA key of 2,048 bits or more") }
    guard let algorithm = try? KeyAlgorithm.rsa(bits: key.keySizeInBits) else {
      throw DERError("an RSA key of \(key.keySizeInBits) bits is not accepted")
    }
    return PublicKey(unchecked: key.pkcs1DERRepresentation, algorithm: algorithm)
  }
}

extension SignatureScheme {
  var rsaPadding: _RSA.Signing.Padding { family == .rsaPSS ? .PSS : .insecurePKCS1v1_5 }
}
