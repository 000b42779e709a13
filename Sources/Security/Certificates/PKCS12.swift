import AtRestCrypto
import AtRestSecKey
import Foundation
import SwiftASN1

/// The keys and certificates of a PKCS#12 file (RFC 7292).
struct PKCS12 {
  struct Certificate {
    let certificate: SecCertificate
    let friendlyName: String?
  }

  private(set) var keys: [SecKey] = []
  private(set) var certificates: [Certificate] = []
  /// The number of hashing rounds that the rest of the file may require. Five million rounds take a
  /// few seconds.
  private var rounds = 5_000_000

  /// Reads a file.
  ///
  /// - Throws: ``StatusError`` with `errSecDecode` if the bytes are not a PKCS#12 file or are
  ///   damaged, `errSecAuthFailed` if the password is wrong, and `errSecUnimplemented` if the file
  ///   uses a cipher or another method that is not implemented.
  init(_ data: Data, password: borrowing PKCS12Password) throws {
    // A file without an authentication code could come from anyone.
    guard let outer = Self.parse(data)?.children(.sequence), outer.count == 3,
      outer[0].number == 3
    else { throw Self.damaged }
    let content = try Self.content(of: outer[1])
    guard content.type == .pkcs7Data else {
      throw Self.unimplemented("Verifying a file by its signature")
    }
    guard let safes = content.value.octets else { throw Self.damaged }
    try check(outer[2], safes, password)
    guard let infos = Self.parse(safes)?.children(.sequence) else { throw Self.damaged }
    for info in infos {
      let content = try Self.content(of: info)
      switch content.type {
      case .pkcs7Data:
        guard let bags = content.value.octets else { throw Self.damaged }
        try read(bags: bags, password)
      case .pkcs7EncryptedData:
        // A version, and a sequence of the content type, the algorithm and the content.
        guard let fields = content.value.children(.sequence), fields.count >= 2,
          let inner = fields[1].children(.sequence), inner.count == 3,
          let ciphertext = inner[2].implicitOctets(0)
        else { throw Self.damaged }
        let bags = try decrypt(ciphertext, inner[1], password)
        try read(bags: Data(copying: bags), password)
      default: throw Self.unimplemented("Decrypting a file with a private key")
      }
    }
  }

  // The file is parsed as BER, because the exporters of Apple's systems do not write DER.
  private static func parse(_ data: Data) -> ASN1Node? { try? BER.parse(Array(data)) }

  private static func content(
    of info: ASN1Node
  ) throws -> (type: ASN1ObjectIdentifier, value: ASN1Node) {
    guard let fields = info.children(.sequence), fields.count == 2,
      let type = fields[0].objectIdentifier, let value = fields[1].tagged(0)
    else { throw damaged }
    return (type, value)
  }

  // MARK: The password

  private mutating func check(
    _ node: ASN1Node, _ content: Data, _ password: borrowing PKCS12Password
  ) throws {
    guard let fields = node.children(.sequence), (2...3).contains(fields.count),
      let digest = fields[0].children(.sequence), digest.count == 2,
      let type = digest[0].children(.sequence)?.first?.objectIdentifier,
      let code = digest[1].octets, let salt = fields[1].octets, !salt.isEmpty
    else { throw Self.damaged }
    let function: DigestFunction
    switch type {
    case [1, 3, 14, 3, 2, 26]: function = .sha1
    case [2, 16, 840, 1, 101, 3, 4, 2, 1]: function = .sha256
    case [2, 16, 840, 1, 101, 3, 4, 2, 2]: function = .sha384
    case [2, 16, 840, 1, 101, 3, 4, 2, 3]: function = .sha512
    default: throw Self.unimplemented("The file's authentication code")
    }
    let count = try spend(fields.count == 3 ? fields[2].number : 1)
    guard
      password.isValid(
        authenticationCode: code, for: content, function, salt: salt, rounds: count)
    else { throw StatusError(errSecAuthFailed, "The password of the file is wrong.") }
  }

  private mutating func spend(_ count: Int?) throws -> Int {
    guard let count, count > 0, count <= rounds else { throw Self.damaged }
    rounds -= count
    return count
  }

  private mutating func decrypt(
    _ ciphertext: Data, _ algorithm: ASN1Node, _ password: borrowing PKCS12Password
  ) throws -> SecretBytes {
    guard let fields = algorithm.children(.sequence), fields.count == 2,
      let type = fields[0].objectIdentifier
    else { throw Self.damaged }
    guard type == [1, 2, 840, 113549, 1, 5, 13] else {
      guard let cipher = Self.oldCiphers[type] else {
        throw Self.unimplemented("The file's cipher")
      }
      guard let parameters = fields[1].children(.sequence), parameters.count == 2 else {
        throw Self.damaged
      }
      _ = try spend(parameters[1].number)
      return try decrypt(ciphertext, byOldCipher: cipher, algorithm, password)
    }
    guard let parts = fields[1].children(.sequence), parts.count == 2,
      let derivation = parts[0].children(.sequence), derivation.count == 2,
      let cipher = parts[1].children(.sequence), cipher.count == 2,
      let cipherType = cipher[0].objectIdentifier
    else { throw Self.damaged }
    guard derivation[0].objectIdentifier == [1, 2, 840, 113549, 1, 5, 12] else {
      throw Self.unimplemented("The file's key derivation")
    }
    var keyCount = 0
    var oldCipher: String?
    switch cipherType {
    case [2, 16, 840, 1, 101, 3, 4, 1, 2]: keyCount = 16
    case [2, 16, 840, 1, 101, 3, 4, 1, 22]: keyCount = 24
    case [2, 16, 840, 1, 101, 3, 4, 1, 42]: keyCount = 32
    case [1, 2, 840, 113549, 3, 7]: oldCipher = "3DES"
    case [1, 2, 840, 113549, 3, 2]: oldCipher = "RC2"
    default: throw Self.unimplemented("The file's cipher")
    }
    guard var parameters = derivation[1].children(.sequence)?[...],
      let salt = parameters.popFirst()?.octets
    else { throw Self.damaged }
    let count = try spend(parameters.popFirst()?.number)
    if let oldCipher {
      return try decrypt(ciphertext, byOldCipher: oldCipher, algorithm, password)
    }
    guard let iv = cipher[1].octets, iv.count == 16 else { throw Self.damaged }
    if parameters.first?.identifier == .integer {
      guard parameters.removeFirst().number == keyCount else { throw Self.damaged }
    }
    let function = try Self.function(parameters.first)
    let plaintext = try password.decrypt(
      ciphertext, iv: iv, function, salt: salt, rounds: count, keyCount: keyCount)
    guard let plaintext else { throw Self.damaged }
    return plaintext
  }

  /// Decrypts a part of a file whose authentication code was right, so what does not decrypt is damaged.
  private func decrypt(
    _ ciphertext: Data, byOldCipher cipher: String, _ algorithm: ASN1Node,
    _ password: borrowing PKCS12Password
  ) throws -> SecretBytes {
    let plaintext: SecretBytes?
    do {
      plaintext = try password.decrypt(ciphertext, byOldCipher: Array(algorithm.encoded))
    } catch {
      // OpenSSL has 3DES without a further provider.
      if case .noProvider = error, cipher.hasPrefix("3DES") { throw Self.damaged }
      throw Self.legacy(cipher, error)
    }
    guard let plaintext else { throw Self.damaged }
    return plaintext
  }

  private static func function(_ node: ASN1Node?) throws -> PKCS12Password.PBKDF2Function {
    guard let node else { return .sha1 }
    switch node.children(.sequence)?.first?.objectIdentifier {
    case [1, 2, 840, 113549, 2, 7]: return .sha1
    case [1, 2, 840, 113549, 2, 8]: return .sha224
    case [1, 2, 840, 113549, 2, 9]: return .sha256
    case [1, 2, 840, 113549, 2, 10]: return .sha384
    case [1, 2, 840, 113549, 2, 11]: return .sha512
    default: throw unimplemented("The file's key derivation")
    }
  }

  // MARK: Bags

  private mutating func read(
    bags data: Data, _ password: borrowing PKCS12Password, depth: Int = 0
  ) throws {
    guard depth < 4, let bags = Self.parse(data)?.children(.sequence) else { throw Self.damaged }
    for bag in bags {
      guard let fields = bag.children(.sequence), (2...3).contains(fields.count),
        let type = fields[0].objectIdentifier, let value = fields[1].tagged(0)
      else { throw Self.damaged }
      switch type {
      case [1, 2, 840, 113549, 1, 12, 10, 1, 1]:
        var encoded = value.encoded
        try read(key: SecretBytes(erasing: &encoded))
      case [1, 2, 840, 113549, 1, 12, 10, 1, 2]:
        guard let parts = value.children(.sequence), parts.count == 2,
          let ciphertext = parts[1].octets
        else { throw Self.damaged }
        try read(key: decrypt(ciphertext, parts[0], password))
      case [1, 2, 840, 113549, 1, 12, 10, 1, 3]:
        guard let parts = value.children(.sequence), parts.count == 2,
          let der = parts[1].tagged(0)?.octets
        else { throw Self.damaged }
        // Only X.509 certificates are read. SDSI certificates are skipped.
        guard parts[0].objectIdentifier == [1, 2, 840, 113549, 1, 9, 22, 1] else { continue }
        guard let certificate = SecCertificate(data: der) else { throw Self.damaged }
        certificates.append(
          Certificate(
            certificate: certificate, friendlyName: Self.friendlyName(fields.dropFirst(2).first)))
      case [1, 2, 840, 113549, 1, 12, 10, 1, 6]:
        try read(bags: value.encoded, password, depth: depth + 1)
      // Revocation lists and secrets are skipped.
      default: continue
      }
    }
  }

  private mutating func read(key der: borrowing SecretBytes) throws {
    guard let key = try? PrivateKey(importing: der) else {
      throw StatusError(errSecDecode, "The file contains a private key of an unknown type.")
    }
    keys.append(SecKey(key))
  }

  private static func friendlyName(_ attributes: ASN1Node?) -> String? {
    for attribute in attributes?.children(.set) ?? [] {
      if let parts = attribute.children(.sequence), parts.count == 2,
        parts[0].objectIdentifier == [1, 2, 840, 113549, 1, 9, 20]
      {
        return parts[1].children(.set)?.first?.text
      }
    }
    return nil
  }

  // MARK: Identities

  /// The private keys whose certificate is in the file.
  ///
  /// The chain begins with the certificate of the key, followed by the issuers that are in the
  /// file.
  var identities: [(identity: SecIdentity, label: String?, chain: [SecCertificate])] {
    keys.compactMap { key in
      let label = key.publicKey.applicationLabel
      guard let own = certificates.first(where: { $0.certificate.publicKeyHash == label }) else {
        return nil
      }
      var chain = [own.certificate]
      while let last = chain.last,
        let issuer = certificates.first(where: {
          $0.certificate.subject.normalized == last.issuer.normalized
            && !chain.contains($0.certificate)
        })
      { chain.append(issuer.certificate) }
      return (
        SecIdentity(certificate: own.certificate, privateKey: key),
        own.friendlyName ?? own.certificate.summary, chain
      )
    }
  }

  private static let damaged = StatusError(
    errSecDecode, "The bytes are not a PKCS#12 file, or the file is damaged.")

  /// The schemes of PKCS#12 itself, which predate AES.
  private static let oldCiphers: [ASN1ObjectIdentifier: String] = [
    [1, 2, 840, 113549, 1, 12, 1, 1]: "RC4 with 128 bits",
    [1, 2, 840, 113549, 1, 12, 1, 2]: "RC4 with 40 bits",
    [1, 2, 840, 113549, 1, 12, 1, 3]: "3DES",
    [1, 2, 840, 113549, 1, 12, 1, 4]: "3DES with two keys",
    [1, 2, 840, 113549, 1, 12, 1, 5]: "RC2 with 128 bits",
    [1, 2, 840, 113549, 1, 12, 1, 6]: "RC2 with 40 bits",
  ]

  /// Returns the error for a cipher that swift-crypto does not have, and OpenSSL does not lend.
  private static func legacy(
    _ cipher: String, _ error: PKCS12Password.OldCipherError
  ) -> StatusError {
    let missing =
      switch error {
      case .noLibrary: "OpenSSL 3, which is not installed (libssl3 on Debian)"
      case .noProvider: "the provider legacy of OpenSSL, which is not installed"
      }
    return StatusError(
      errSecUnimplemented,
      "The file is encrypted with \(cipher), for which this module needs \(missing). Or convert it "
        + "once elsewhere: openssl pkcs12 -legacy -aes256 -in OLD.p12 -out all.pem && "
        + "openssl pkcs12 -export -in all.pem -out NEW.p12")
  }

  private static func unimplemented(_ what: String) -> StatusError {
    StatusError(errSecUnimplemented, "\(what) is not implemented. Export the file with AES.")
  }
}

extension ASN1Node {
  /// Returns the bytes of an octet string with the implicit tag `[number]`, or nil if the node is
  /// something else. The string may consist of several pieces.
  fileprivate func implicitOctets(_ number: UInt) -> Data? {
    guard identifier == ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific) else {
      return nil
    }
    if let bytes = primitive { return bytes }
    var all = Data()
    for piece in children ?? [] {
      guard let bytes = piece.octets else { return nil }
      all += bytes
    }
    return all
  }
}

extension ASN1ObjectIdentifier {
  fileprivate static let pkcs7Data: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 1]
  fileprivate static let pkcs7EncryptedData: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 7, 6]
}
