import Crypto
import CryptoExtras
import Foundation

/// A private key in locked memory, erased when its owner releases it.
///
/// ```swift
/// let key = try PrivateKey.generate(.p256)
/// let signature = try key.signature(for: Data("hello".utf8))
/// let valid = try key.publicKey.isValidSignature(signature, for: Data("hello".utf8))
/// ```
///
/// The key is passed to swift-crypto anew for each operation. swift-crypto erases its copies of
/// curve keys, and BoringSSL clears the memory of RSA keys when it frees that memory.
///
/// ## Topics
/// Create: ``generate(_:)``, ``init(importing:)``, ``init(x963Representation:)``,
/// ``init(rawRepresentation:algorithm:)``.
/// Use: ``signature(for:scheme:)``, ``sharedSecret(with:)``, ``decrypt(_:padding:)``.
/// Export: ``pemRepresentation``, ``derRepresentation``, ``x963Representation()``,
/// ``rawRepresentation()``, ``pkcs1Representation()``.
public struct PrivateKey: ~Copyable, Sendable {
  /// The algorithm of the key, with its size.
  public var algorithm: KeyAlgorithm { publicKey.algorithm }
  /// The public key that belongs to this private key.
  public let publicKey: PublicKey
  /// The compact form that is stored: the scalar or seed of a curve key, or the PKCS#1 DER of an
  /// RSA key.
  package let storage: SecretBytes

  private init(checked storage: consuming SecretBytes, publicKey: PublicKey) {
    self.storage = storage
    self.publicKey = publicKey
  }

  /// Creates a key from its compact form.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the bytes are not a key of the algorithm.
  package init(storage: consuming SecretBytes, algorithm: KeyAlgorithm) throws {
    let publicKey: PublicKey
    do {
      publicKey = try storage.withUnsafeBytes { try Self.publicKey(of: $0, algorithm) }
    } catch let error as DERError {
      let expected =
        algorithm.family == .rsa
        ? "Use PKCS#1 DER." : "Use a key of \(algorithm.rawCount) bytes."
      throw AtRestError.invalid(
        "The private key of algorithm \(algorithm) is not valid: \(error.reason).",
        remedy: expected)
    }
    self.init(checked: storage, publicKey: publicKey)
  }

  /// Creates a key from the bytes of a keychain item: the compact form, or the X9.63 form that
  /// applications store.
  package init(stored bytes: borrowing SecretBytes, algorithm: KeyAlgorithm) throws {
    if algorithm.curve != nil && bytes.count != algorithm.rawCount {
      try self.init(x963Representation: bytes)
    } else {
      try self.init(storage: bytes.duplicate(), algorithm: algorithm)
    }
  }

  /// Generates a random key.
  ///
  /// An RSA key takes from a tenth of a second to several seconds.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for RSA sizes that are not multiples of 128
  ///   bits; ``AtRestError/Code/system`` if the cryptographic library fails.
  public static func generate(_ algorithm: KeyAlgorithm) throws -> PrivateKey {
    if let curve = algorithm.curve {
      return try Remains.erased(after: .deep) {
        try PrivateKey(storage: curve.generate(), algorithm: algorithm)
      }
    }
    guard algorithm.family == .rsa else {
      return try PrivateKey(storage: .random(count: 32), algorithm: algorithm)
    }
    guard algorithm.keySizeInBits % 128 == 0 else {
      throw AtRestError.invalid(
        "An RSA key of \(algorithm.keySizeInBits) bits cannot be generated.",
        remedy: "Use a multiple of 128 bits: 2048, 3072 or 4096.")
    }
    return try Remains.erased(after: .deep) {
      let key: _RSA.Signing.PrivateKey
      do {
        key = try _RSA.Signing.PrivateKey(
          keySize: _RSA.Signing.KeySize(bitCount: algorithm.keySizeInBits))
      } catch {
        throw AtRestError(
          .system, "An RSA key could not be generated.",
          remedy: "Try again; check that the machine has memory left.", cause: error)
      }
      var der = key.derRepresentation
      return PrivateKey(
        checked: SecretBytes(erasing: &der),
        publicKey: PublicKey(
          unchecked: key.publicKey.pkcs1DERRepresentation, algorithm: algorithm))
    }
  }

  /// Reads a key from PEM or DER.
  ///
  /// The accepted formats are PKCS#8 (`PRIVATE KEY`, RFC 5958, RFC 8410), SEC 1 (`EC PRIVATE KEY`,
  /// RFC 5915) and PKCS#1 (`RSA PRIVATE KEY`, RFC 8017). An enclosed public key must match the
  /// private key. If there are several PEM blocks, only the first is read, apart from `EC
  /// PARAMETERS`.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the bytes have another format, are encrypted
  ///   or damaged, or contain a key of another algorithm or size.
  public init(importing bytes: borrowing SecretBytes) throws {
    do {
      self = try bytes.withUnsafeBytes { try Self.read($0) }
    } catch let error as DERError {
      throw AtRestError.invalid(
        "The private key cannot be read: \(error.reason).",
        remedy: "Use unencrypted PEM or DER of PKCS#8, SEC 1 or PKCS#1; "
          + "`openssl pkey` converts to it.")
    }
  }

  /// Creates a P-256, P-384 or P-521 key from its X9.63 form: 04 ‖ X ‖ Y ‖ K.
  ///
  /// Apple's `SecKeyCopyExternalRepresentation` returns this form.
  ///
  /// - Parameter bytes: 97, 145 or 199 bytes. The count determines the curve.
  /// - Throws: ``AtRestError/Code/invalidArgument`` for other sizes, for invalid keys, and if the
  ///   point does not belong to the scalar.
  public init(x963Representation bytes: borrowing SecretBytes) throws {
    let algorithms: [KeyAlgorithm] = [.p256, .p384, .p521]
    let count = bytes.count
    guard let algorithm = algorithms.first(where: { 1 + 3 * $0.rawCount == count }) else {
      throw AtRestError.invalid(
        "An X9.63 private key does not have \(count) bytes.",
        remedy: "Use a key of 97 bytes (P-256), 145 (P-384) or 199 (P-521).")
    }
    do {
      self = try bytes.withUnsafeBytes { bytes in
        let split = 1 + 2 * algorithm.rawCount
        return try Self.key(
          UnsafeRawBufferPointer(rebasing: bytes[split...]), algorithm,
          enclosing: UnsafeRawBufferPointer(rebasing: bytes[..<split]))
      }
    } catch let error as DERError {
      throw AtRestError.invalid(
        "The X9.63 private key is not valid: \(error.reason).",
        remedy: "Use 04 ‖ X ‖ Y ‖ K of a key of \(algorithm).")
    }
  }

  /// Creates a key from its raw form: the big-endian scalar for NIST curves, 32 bytes for
  /// Curve25519.
  ///
  /// - Parameters:
  ///   - bytes: 32, 48 or 66 bytes for NIST curves, 32 for Curve25519.
  ///   - algorithm: The algorithm of the key.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the bytes are not a key of the algorithm, or
  ///   if the algorithm is RSA, which has no raw form.
  public init(rawRepresentation bytes: borrowing SecretBytes, algorithm: KeyAlgorithm) throws {
    guard algorithm.family != .rsa else {
      throw AtRestError.invalid(
        "RSA keys have no raw form.", remedy: "Import RSA keys as PEM or DER.")
    }
    try self.init(storage: bytes.duplicate(), algorithm: algorithm)
  }

  // MARK: Use

  /// Signs a message.
  ///
  /// - Parameters:
  ///   - message: The message to sign, not its hash.
  ///   - scheme: The signature scheme. nil selects ``KeyAlgorithm/defaultSignatureScheme``.
  /// - Returns: For ECDSA, a DER signature (about 72 bytes for P-256); for Ed25519, 64 bytes; for
  ///   RSA, as many bytes as the modulus has.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if keys of this algorithm do not sign, or do
  ///   not support this scheme.
  public borrowing func signature(
    for message: some DataProtocol, scheme: SignatureScheme? = nil
  ) throws -> Data {
    let algorithm = algorithm
    let scheme = try SignatureScheme.resolved(scheme, for: algorithm)
    return try usingKey { bytes in
      if let curve = algorithm.curve {
        return try curve.sign(scheme.digest(of: message), with: bytes)
      }
      if algorithm.family == .ed25519 {
        return try Curve25519.Signing.PrivateKey(rawRepresentation: bytes).signature(for: message)
      }
      let key = try _RSA.Signing.PrivateKey(derRepresentation: bytes)
      return try Self.sign(scheme.digest(of: message), with: key, scheme: scheme)
    }
  }

  /// Runs an operation with the key and erases the traces of the operation.
  borrowing func usingKey<Result: ~Copyable>(
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    try Remains.erased(after: .deep) { try storage.withUnsafeBytes(body) }
  }

  // A separate function, to open the digest's existential.
  private static func sign(
    _ digest: some Digest, with key: _RSA.Signing.PrivateKey, scheme: SignatureScheme
  ) throws -> Data {
    try key.signature(for: digest, padding: scheme.rsaPadding).rawRepresentation
  }

  /// Agrees on a secret with the holder of another key of the same curve: ECDH (SP 800-56A, the X
  /// coordinate) or X25519 (RFC 7748).
  ///
  /// The bytes are not uniformly random. Derive keys from them with
  /// ``SecretBytes/derive(_:salt:context:count:)``.
  ///
  /// - Returns: 32, 48 or 66 bytes.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the keys do not support agreement or have
  ///   different algorithms, or if the other key is an X25519 key of low order (the result would be
  ///   zero with any private key; RFC 7748, section 6.1).
  public borrowing func sharedSecret(with other: PublicKey) throws -> SecretBytes {
    let algorithm = algorithm
    guard algorithm.canAgree else {
      throw AtRestError.invalid(
        "A key of algorithm \(algorithm) cannot agree on secrets.",
        remedy: "Use X25519 keys or keys on a NIST curve.")
    }
    guard other.algorithm == algorithm else {
      throw AtRestError.invalid(
        "The other key is of algorithm \(other.algorithm), not \(algorithm).",
        remedy: "Use two keys of the same algorithm.")
    }
    let bytes = try usingKey { bytes in
      if let curve = algorithm.curve {
        return SecretBytes(try curve.agree(bytes, with: other.bytes))
      }
      return SecretBytes(
        try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
          .sharedSecretFromKeyAgreement(
            with: Curve25519.KeyAgreement.PublicKey(rawRepresentation: other.bytes)))
    }
    // Zero is refused only for X25519: a NIST curve has a valid point whose X is zero.
    guard algorithm.curve != nil || !bytes.isZero else {
      throw AtRestError.invalid(
        "The other X25519 key is of low order.",
        remedy: "Refuse it: its sender chose it so that every agreement gives zero.")
    }
    return bytes
  }

  /// Decrypts the output of ``PublicKey/encrypt(_:padding:)``.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is not RSA;
  ///   ``AtRestError/Code/damaged`` if the bytes were modified or encrypted to another key.
  public borrowing func decrypt(
    _ ciphertext: some DataProtocol, padding: EncryptionPadding = .oaepSHA256
  ) throws -> SecretBytes {
    let algorithm = algorithm
    guard algorithm.canDecrypt else {
      throw AtRestError.invalid(
        "A key of algorithm \(algorithm) cannot decrypt.", remedy: "Use an RSA key.")
    }
    return try usingKey { bytes in
      let key = try _RSA.Encryption.PrivateKey(derRepresentation: bytes)
      do {
        var plaintext = try key.decrypt(ciphertext, padding: padding.implementation)
        return SecretBytes(erasing: &plaintext)
      } catch {
        // All causes give the same error, without the error of the library: the exact cause would
        // only help an attacker.
        throw AtRestError.damaged(
          "The ciphertext does not decrypt: it was modified or encrypted to another key.")
      }
    }
  }

  // MARK: Export

  /// PKCS#8 in PEM (`PRIVATE KEY`, RFC 7468), ending with a newline.
  public var pemRepresentation: SecretBytes {
    PEM(label: "PRIVATE KEY", content: derRepresentation).text
  }

  /// PKCS#8 in DER: RFC 5208, RFC 5915, RFC 8410, as OpenSSL writes it.
  public var derRepresentation: SecretBytes {
    var before: [UInt8] = []
    var after: [UInt8] = []
    let count = storage.count
    switch algorithm.family {
    case .p256, .p384, .p521:
      after = DER.element(DER.context1, DER.element(DER.bitString, [0] + publicKey.bytes))
      let scalar = DER.header(DER.octetString, count: count)
      let version = DER.element(DER.integer, [1])
      before =
        DER.header(
          DER.sequence, count: version.count + scalar.count + count + after.count)
        + version + scalar
    case .ed25519, .x25519:
      before = DER.header(DER.octetString, count: count)
    case .rsa:
      break
    }
    let inner = before.count + count + after.count
    let body =
      DER.element(DER.integer, [0]) + algorithm.algorithmIdentifier
      + DER.header(DER.octetString, count: inner)
    before = DER.header(DER.sequence, count: body.count + inner) + body + before
    return storage.surrounded(by: before, after)
  }

  /// Returns the X9.63 form 04 ‖ X ‖ Y ‖ K, as Apple's `SecKeyCopyExternalRepresentation` does.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is not on a NIST curve.
  public borrowing func x963Representation() throws -> SecretBytes {
    storage.surrounded(by: Array(try publicKey.x963Representation()), [])
  }

  /// Returns the raw form: the scalar for NIST curves (32, 48 or 66 bytes), 32 bytes for
  /// Curve25519.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for RSA.
  public borrowing func rawRepresentation() throws -> SecretBytes {
    _ = try publicKey.rawRepresentation()
    return storage.duplicate()
  }

  /// Returns PKCS#1 DER (RFC 8017, A.1.2), as Apple's `SecKeyCopyExternalRepresentation` does.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key is not an RSA key.
  public borrowing func pkcs1Representation() throws -> SecretBytes {
    _ = try publicKey.pkcs1Representation()
    return storage.duplicate()
  }
}

// MARK: - Reading

extension PrivateKey {
  private static func read(_ bytes: UnsafeRawBufferPointer) throws -> PrivateKey {
    guard !PublicKey.isWholeElement(bytes) else { return try readDER(bytes) }
    guard PEM.isPresent(in: bytes) else { throw DERError("it is neither PEM nor complete DER") }
    let block = try PEM(reading: bytes)
    return try block.content.withUnsafeBytes { content in
      switch block.label {
      case "PRIVATE KEY": return try readPKCS8(content)
      case "EC PRIVATE KEY": return try readSEC1(content, of: nil)
      case "RSA PRIVATE KEY": return try rsa(content)
      case "ENCRYPTED PRIVATE KEY": throw DERError("it is encrypted; decrypt it first")
      case "OPENSSH PRIVATE KEY":
        throw DERError("it is an OpenSSH key; convert it with `ssh-keygen -p -m PKCS8`")
      case "PUBLIC KEY", "RSA PUBLIC KEY": throw DERError("it is a public key")
      default:
        throw DERError("its PEM label is not PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY")
      }
    }
  }

  /// PKCS#8 has a SEQUENCE after its version, SEC 1 an OCTET STRING, and PKCS#1 an INTEGER.
  private static func readDER(_ bytes: UnsafeRawBufferPointer) throws -> PrivateKey {
    var outer = DERReader(bytes)
    var content = try outer.enter(DER.sequence)
    if content.tag == DER.sequence { throw DERError("it is a public key or encrypted") }
    _ = try content.read(DER.integer)
    switch content.tag {
    case DER.sequence: return try readPKCS8(bytes)
    case DER.octetString: return try readSEC1(bytes, of: nil)
    default: return try rsa(bytes)
    }
  }

  private static func readPKCS8(_ bytes: UnsafeRawBufferPointer) throws -> PrivateKey {
    var outer = DERReader(bytes)
    var info = try outer.enter(DER.sequence)
    try outer.finish()
    let version = try info.readVersion()
    guard version <= 1 else { throw DERError("its PKCS#8 version is \(version), not 0 or 1") }
    let identified = try KeyAlgorithm.identified(by: info.enter(DER.sequence))
    let inner = try info.read(DER.octetString)
    _ = try info.readIfPresent(DER.context0)
    let enclosed = info.tag == DER.implicit1 ? try info.readBits(DER.implicit1) : nil
    try info.finish()
    // RFC 5958: version 1 says that the public key follows.
    guard (version == 1) == (enclosed != nil) else { throw DERError("it has another structure") }
    switch identified {
    case .rsa:
      return try rsa(inner, enclosing: enclosed)
    case .algorithm(let algorithm) where algorithm.curve != nil:
      return try readSEC1(inner, of: algorithm, enclosing: enclosed)
    case .algorithm(let algorithm):
      var reader = DERReader(inner)
      let seed = try reader.read(DER.octetString)
      try reader.finish()
      return try key(seed, algorithm, enclosing: enclosed)
    }
  }

  private static func readSEC1(
    _ bytes: UnsafeRawBufferPointer, of outside: KeyAlgorithm?,
    enclosing: UnsafeRawBufferPointer? = nil
  ) throws -> PrivateKey {
    var outer = DERReader(bytes)
    var content = try outer.enter(DER.sequence)
    try outer.finish()
    guard try content.readVersion() == 1 else { throw DERError("its SEC 1 version is not 1") }
    let scalar = try content.read(DER.octetString)
    var algorithm = outside
    if content.tag == DER.context0 {
      var parameters = try content.enter(DER.context0)
      guard parameters.tag == DER.objectIdentifier else {
        throw DERError("its curve is not given by name")
      }
      let inside = try KeyAlgorithm.curve(named: parameters.read(DER.objectIdentifier))
      try parameters.finish()
      guard outside == nil || outside == inside else { throw DERError("it names two curves") }
      algorithm = inside
    }
    var enclosed = enclosing
    if content.tag == DER.context1 {
      var bits = try content.enter(DER.context1)
      enclosed = try bits.readBits()
      try bits.finish()
    }
    try content.finish()
    guard let algorithm else { throw DERError("it does not name its curve") }
    return try key(scalar, algorithm, enclosing: enclosed)
  }

  private static func rsa(
    _ bytes: UnsafeRawBufferPointer, enclosing: UnsafeRawBufferPointer? = nil
  ) throws -> PrivateKey {
    guard PublicKey.isWholeElement(bytes),
      let bits = Remains.erased(
        after: .deep, { (try? _RSA.Signing.PrivateKey(derRepresentation: bytes))?.keySizeInBits })
    else { throw DERError("it is not a consistent RSA key of 2,048 bits or more") }
    guard let algorithm = try? KeyAlgorithm.rsa(bits: bits) else {
      throw DERError("an RSA key of \(bits) bits is not accepted")
    }
    return try key(bytes, algorithm, enclosing: enclosing)
  }

  /// Creates a key from its compact form, after checking that an enclosed public key belongs to it.
  private static func key(
    _ bytes: UnsafeRawBufferPointer, _ algorithm: KeyAlgorithm,
    enclosing enclosed: UnsafeRawBufferPointer?
  ) throws -> PrivateKey {
    let publicKey = try publicKey(of: bytes, algorithm)
    if let enclosed, !enclosed.elementsEqual(publicKey.bytes) {
      throw DERError("the enclosed public key belongs to another key")
    }
    return PrivateKey(checked: SecretBytes(copying: bytes), publicKey: publicKey)
  }

  private static func publicKey(
    of bytes: UnsafeRawBufferPointer, _ algorithm: KeyAlgorithm
  ) throws -> PublicKey {
    guard algorithm.family == .rsa || bytes.count == algorithm.rawCount else {
      throw DERError("it has \(bytes.count) bytes, not \(algorithm.rawCount)")
    }
    return try Remains.erased(after: .deep) {
      if let curve = algorithm.curve {
        guard let point = try? curve.point(of: bytes) else {
          throw DERError("its scalar is out of range")
        }
        return PublicKey(unchecked: point, algorithm: algorithm)
      }
      switch algorithm.family {
      case .ed25519:
        let key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
        return PublicKey(unchecked: key.publicKey.rawRepresentation, algorithm: algorithm)
      case .x25519:
        let key = try Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes)
        return PublicKey(unchecked: key.publicKey.rawRepresentation, algorithm: algorithm)
      default:
        guard PublicKey.isWholeElement(bytes),
          let key = try? _RSA.Signing.PrivateKey(derRepresentation: bytes),
          key.keySizeInBits == algorithm.keySizeInBits
        else { throw DERError("it is not a consistent RSA key of its size") }
        return PublicKey(
          unchecked: key.publicKey.pkcs1DERRepresentation, algorithm: algorithm)
      }
    }
  }
}

extension SecretBytes {
  /// Returns these bytes between other bytes that are not secret.
  fileprivate borrowing func surrounded(by before: [UInt8], _ after: [UInt8]) -> SecretBytes {
    SecretBytes(count: before.count + count + after.count) { all in
      all.copyBytes(from: before)
      UnsafeMutableRawBufferPointer(rebasing: all[(before.count + count)...])
        .copyBytes(from: after)
      withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: all[before.count..<before.count + count])
          .copyMemory(from: $0)
      }
    }
  }
}
