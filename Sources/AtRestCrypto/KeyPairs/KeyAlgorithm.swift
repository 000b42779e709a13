import Crypto

/// The algorithm of an asymmetric key, with its size.
///
/// ```swift
/// let key = try PrivateKey.generate(.p256)
/// KeyAlgorithm(name: "rsa3072") == .rsa3072     // true
/// ```
///
/// ## Topics
/// NIST curves (FIPS 186-5), for signatures and key agreement: ``p256``, ``p384``, ``p521``.
/// Curve25519 (RFC 8032, RFC 7748): ``ed25519`` for signatures, ``x25519`` for key agreement.
/// RSA (RFC 8017), for signatures and decryption: ``rsa2048``, ``rsa3072``, ``rsa4096``,
/// ``rsa(bits:)``.
public struct KeyAlgorithm: Hashable, Sendable, CustomStringConvertible {
  enum Family: Hashable, Sendable {
    case p256, p384, p521, ed25519, x25519, rsa
  }

  let family: Family
  /// The size of the key in bits: that of the field for curves (256 for Curve25519), that of the
  /// modulus for RSA.
  public let keySizeInBits: Int

  /// NIST P-256, also known as secp256r1 and prime256v1.
  public static let p256 = KeyAlgorithm(family: .p256, keySizeInBits: 256)
  /// NIST P-384, also known as secp384r1.
  public static let p384 = KeyAlgorithm(family: .p384, keySizeInBits: 384)
  /// NIST P-521, also known as secp521r1.
  public static let p521 = KeyAlgorithm(family: .p521, keySizeInBits: 521)
  /// Ed25519, RFC 8032: signatures only.
  public static let ed25519 = KeyAlgorithm(family: .ed25519, keySizeInBits: 256)
  /// X25519, RFC 7748: key agreement only.
  public static let x25519 = KeyAlgorithm(family: .x25519, keySizeInBits: 256)
  /// RSA with a modulus of 2,048 bits.
  public static let rsa2048 = KeyAlgorithm(family: .rsa, keySizeInBits: 2048)
  /// RSA with a modulus of 3,072 bits.
  public static let rsa3072 = KeyAlgorithm(family: .rsa, keySizeInBits: 3072)
  /// RSA with a modulus of 4,096 bits.
  public static let rsa4096 = KeyAlgorithm(family: .rsa, keySizeInBits: 4096)

  /// The sizes of RSA keys that are accepted, in bits.
  package static let rsaSizes = 2048...4096

  /// Returns RSA with a modulus of a given size.
  ///
  /// - Parameter bits: The size of the modulus, 2,048 to 4,096 bits.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other sizes.
  public static func rsa(bits: Int) throws -> KeyAlgorithm {
    guard rsaSizes.contains(bits) else {
      throw AtRestError.invalid(
        "An RSA key of \(bits) bits is not accepted.",
        remedy: "Use an RSA key of \(rsaSizes.lowerBound) to \(rsaSizes.upperBound) bits.")
    }
    return KeyAlgorithm(family: .rsa, keySizeInBits: bits)
  }

  private init(family: Family, keySizeInBits: Int) {
    self.family = family
    self.keySizeInBits = keySizeInBits
  }

  /// Creates the algorithm with a given ``name``. The result is nil if no algorithm has this name.
  public init?(name: String) {
    if let known = Self.named.first(where: { $0.name == name }) {
      self = known
    } else if name.hasPrefix("rsa"), let bits = Int(name.dropFirst(3)),
      let rsa = try? Self.rsa(bits: bits), rsa.name == name
    {
      self = rsa
    } else {
      return nil
    }
  }

  private static let named: [KeyAlgorithm] = [.p256, .p384, .p521, .ed25519, .x25519]

  /// The name, for files and command lines: `p256`, `ed25519`, `rsa2048`.
  public var name: String {
    switch family {
    case .p256: "p256"
    case .p384: "p384"
    case .p521: "p521"
    case .ed25519: "ed25519"
    case .x25519: "x25519"
    case .rsa: "rsa\(keySizeInBits)"
    }
  }

  public var description: String { name }

  /// True if keys of this algorithm can sign: all but ``x25519``.
  public var canSign: Bool { family != .x25519 }

  /// True if keys of this algorithm can agree on a shared secret: the NIST curves and ``x25519``.
  public var canAgree: Bool { curve != nil || family == .x25519 }

  /// True if keys of this algorithm can decrypt: RSA only.
  public var canDecrypt: Bool { family == .rsa }

  /// The default signature scheme, or nil if keys of this algorithm cannot sign.
  ///
  /// The default is ECDSA with the hash that matches the curve (SHA-256, SHA-384 or SHA-512),
  /// Ed25519, or RSA-PSS with SHA-256.
  public var defaultSignatureScheme: SignatureScheme? {
    switch family {
    case .p256: .ecdsaSHA256
    case .p384: .ecdsaSHA384
    case .p521: .ecdsaSHA512
    case .ed25519: .ed25519
    case .x25519: nil
    case .rsa: .rsaPSSSHA256
    }
  }

  /// The NIST curve of the key, or nil for other algorithms.
  var curve: (any NISTCurve.Type)? {
    switch family {
    case .p256: P256.self
    case .p384: P384.self
    case .p521: P521.self
    case .ed25519, .x25519, .rsa: nil
    }
  }

  /// The size of a raw private key or of a coordinate, in bytes. 0 for RSA, which has no raw form.
  var rawCount: Int { family == .rsa ? 0 : (keySizeInBits + 7) / 8 }
}

extension KeyAlgorithm: Codable {
  /// Reads the ``name``.
  ///
  /// - Throws: `DecodingError.dataCorrupted` if no algorithm has the name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let name = try container.decode(String.self)
    guard let algorithm = KeyAlgorithm(name: name) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "There is no key algorithm \"\(name)\".")
    }
    self = algorithm
  }

  /// Writes the ``name``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
