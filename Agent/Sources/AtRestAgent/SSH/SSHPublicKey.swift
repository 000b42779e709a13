import AtRestCrypto
import Crypto
import Foundation

/// A public key in the form of SSH (RFC 4253, RFC 5656, RFC 8709).
struct SSHPublicKey {
  let key: PublicKey
  /// The bytes by which the protocol names the key.
  let blob: Data

  /// The end of the algorithm's name in a certificate.
  static let certificateSuffix = "-cert-v01@openssh.com"

  private static let curves: [(algorithm: KeyAlgorithm, name: String)] = [
    (.p256, "nistp256"), (.p384, "nistp384"), (.p521, "nistp521"),
  ]

  /// Returns the algorithm of a curve by its name in SSH.
  static func algorithm(ofCurve name: String) -> KeyAlgorithm? {
    curves.first { $0.name == name }?.algorithm
  }

  /// Creates the form of a key. Returns nil for algorithms that SSH does not have.
  init?(_ key: PublicKey) {
    var writer = SSHWriter()
    if key.algorithm == .ed25519, let raw = try? key.rawRepresentation() {
      writer.string("ssh-ed25519")
      writer.string(raw)
    } else if let curve = Self.curves.first(where: { $0.algorithm == key.algorithm }),
      let point = try? key.x963Representation()
    {
      writer.string("ecdsa-sha2-\(curve.name)")
      writer.string(curve.name)
      writer.string(point)
    } else if let numbers = try? DERIntegers.pair(in: key.pkcs1Representation()) {
      writer.string("ssh-rsa")
      writer.string(numbers.1)
      writer.string(numbers.0)
    } else {
      return nil
    }
    self.key = key
    blob = writer.data
  }

  /// Reads the form of a key. Returns nil for other algorithms.
  ///
  /// - Throws: ``AtRestError`` if the bytes are not a key.
  init?(blob: UnsafeRawBufferPointer) throws {
    var reader = SSHReader(blob)
    guard let key = try Self.key(&reader, algorithm: try reader.text()) else { return nil }
    try reader.finish()
    self.key = key
    self.blob = Data(blob)
  }

  private static func key(_ reader: inout SSHReader, algorithm name: String) throws -> PublicKey? {
    switch name {
    case "ssh-ed25519":
      return try PublicKey(rawRepresentation: Data(try reader.string()), algorithm: .ed25519)
    case "ssh-rsa":
      let (e, n) = (try reader.string(), try reader.string())
      return try SSHRSANumbers.publicKey(n: n, e: e)
    default:
      guard name.hasPrefix("ecdsa-sha2-"),
        let algorithm = Self.algorithm(ofCurve: String(name.dropFirst("ecdsa-sha2-".count)))
      else { return nil }
      guard Self.algorithm(ofCurve: try reader.text()) == algorithm else {
        throw SSHReader.malformed
      }
      let key = try PublicKey(x963Representation: Data(try reader.string()))
      guard key.algorithm == algorithm else { throw SSHReader.malformed }
      return key
    }
  }

  /// Returns the key that a certificate of OpenSSH certifies, or nil for other algorithms. What the
  /// certificate says about the key is not checked, because servers do that.
  static func key(certifiedBy certificate: UnsafeRawBufferPointer) throws -> PublicKey? {
    var reader = SSHReader(certificate)
    let name = try reader.text()
    guard name.hasSuffix(certificateSuffix) else { return nil }
    _ = try reader.string()  // a random value
    return try key(&reader, algorithm: String(name.dropLast(certificateSuffix.count)))
  }

  var isRSA: Bool { (try? key.pkcs1Representation()) != nil }

  /// The fingerprint as OpenSSH shows it.
  var fingerprint: String { Self.fingerprint(of: blob) }

  static func fingerprint(of blob: Data) -> String {
    let digest = Data(SHA256.hash(data: blob)).base64EncodedString()
    return "SHA256:" + digest.replacingOccurrences(of: "=", with: "")
  }

  /// Returns the signature scheme for the flags of a request.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` for RSA with SHA-1, which has no flag.
  func scheme(flags: UInt32) throws -> (scheme: SignatureScheme?, name: String) {
    switch key.algorithm {
    case .ed25519: return (.ed25519, "ssh-ed25519")
    case .p256: return (.ecdsaSHA256, "ecdsa-sha2-nistp256")
    case .p384: return (.ecdsaSHA384, "ecdsa-sha2-nistp384")
    case .p521: return (.ecdsaSHA512, "ecdsa-sha2-nistp521")
    default:
      if flags & 4 != 0 { return (.rsaPKCS1SHA512, "rsa-sha2-512") }
      if flags & 2 != 0 { return (.rsaPKCS1SHA256, "rsa-sha2-256") }
      throw AtRestError(
        .invalidArgument, "RSA signatures with SHA-1 are not made.",
        remedy: "Use a client that knows rsa-sha2-256.")
    }
  }

  /// Returns the form of a signature in SSH.
  func encoded(_ signature: Data, name: String) throws -> Data {
    var writer = SSHWriter()
    writer.string(name)
    if name.hasPrefix("ecdsa") {
      let numbers = try DERIntegers.pair(in: signature)
      var inner = SSHWriter()
      inner.string(numbers.0)
      inner.string(numbers.1)
      writer.string(inner.data)
    } else {
      writer.string(signature)
    }
    return writer.data
  }

  /// Returns true if a signature in the form of SSH is this key's signature of a message.
  func isValid(_ signature: UnsafeRawBufferPointer, for message: Data) throws -> Bool {
    var reader = SSHReader(signature)
    let name = try reader.text()
    let bytes = try reader.string()
    try reader.finish()
    // RSA keys also sign with SHA-512.
    let (scheme, expected) = try scheme(flags: name == "rsa-sha2-512" ? 4 : 2)
    guard name == expected else { return false }
    guard name.hasPrefix("ecdsa") else {
      return try key.isValidSignature(Data(bytes), for: message, scheme: scheme)
    }
    var inner = SSHReader(bytes)
    let numbers = [Data(try inner.string()), Data(try inner.string())]
    try inner.finish()
    return try key.isValidSignature(
      DERIntegers.sequence(numbers), for: message, scheme: scheme)
  }
}
