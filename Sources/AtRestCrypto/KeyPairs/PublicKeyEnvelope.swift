import Crypto
import Foundation

/// A message of any length, encrypted to the holder of a private key, in the formats of Apple's
/// `SecKey`.
///
/// The message is authenticated; the sender is not.
package enum PublicKeyEnvelope: Hashable, Sendable {
  /// ECIES: an ephemeral public key (X9.63), the ciphertext, and a tag of 16 bytes.
  ///
  /// The AES-GCM key has 128 bits for P-256 and 256 bits for larger curves. It is derived (ANSI
  /// X9.63) from the shared secret of the two keys, with the ephemeral public key as shared
  /// information. The nonce has 16 bytes, and is either derived as well or all zeros. Both are
  /// safe, because each AES-GCM key is used only once.
  case ecies(DigestFunction, derivesNonce: Bool)
  /// RSA: an encrypted AES-GCM key, the ciphertext, and a tag of 16 bytes.
  ///
  /// The AES-GCM key has 128 bits, or 256 bits if the modulus has 4,096 bits or more. The nonce is
  /// 16 bytes of zeros. The associated data is the public key (PKCS#1).
  case rsa(EncryptionPadding)

  private static let nonceCount = 16
  private static let tagCount = 16

  /// Returns true if keys of an algorithm can open envelopes of this form.
  package func isSupported(by algorithm: KeyAlgorithm) -> Bool {
    switch self {
    case .ecies: algorithm.curve != nil
    case .rsa: algorithm.family == .rsa
    }
  }

  /// Seals a message to the holder of a key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key does not support this form.
  package func seal(_ message: Data, to key: PublicKey) throws -> Data {
    try Remains.erased(after: .gcm) {
      switch self {
      case .ecies:
        let ephemeral = try PrivateKey.generate(checked(key.algorithm))
        let head = ephemeral.publicKey.bytes
        let secret = try agree(ephemeral, with: key, head)
        return head + (try secret.seal(message, authenticating: Data()))
      case .rsa(let padding):
        let secret = SecretBytes.random(count: Self.keyCount(try checked(key.algorithm)))
        let head = try key.encrypt(secret, padding: padding)
        return head + (try Self.withZeroNonce(secret).seal(message, authenticating: key.bytes))
      }
    }
  }

  /// Opens an envelope.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key does not support this form;
  ///   ``AtRestError/Code/damaged`` if the envelope was modified or sealed to another key.
  package func open(_ envelope: Data, with key: borrowing PrivateKey) throws -> SecretBytes {
    guard case .rsa(let padding) = self else { return try open(envelope, agreeing: key) }
    let algorithm = try checked(key.algorithm)
    let (head, body) = try Self.split(envelope, at: (algorithm.keySizeInBits + 7) / 8)
    return try Remains.erased(after: .gcm) {
      let secret = try key.decrypt(head, padding: padding)
      guard secret.count == Self.keyCount(algorithm) else { throw Self.damaged }
      return try Self.withZeroNonce(secret).open(body, authenticating: key.publicKey.bytes)
    }
  }

  /// Opens an envelope of ECIES with any key that agrees on secrets.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key does not support this form;
  ///   ``AtRestError/Code/damaged`` if the envelope was modified or sealed to another key.
  package func open(
    _ envelope: Data, agreeing key: borrowing some X963Agreeing & ~Copyable
  ) throws -> SecretBytes {
    let algorithm = try checked(key.publicKey.algorithm)
    let (head, body) = try Self.split(envelope, at: 1 + 2 * algorithm.rawCount)
    guard let ephemeral = try? PublicKey(x963Representation: head) else { throw Self.damaged }
    return try Remains.erased(after: .gcm) {
      try agree(key, with: ephemeral, head).open(body, authenticating: Data())
    }
  }

  private static func split(_ envelope: Data, at count: Int) throws -> (head: Data, body: Data) {
    guard envelope.count >= count + tagCount else { throw damaged }
    return (Data(envelope.prefix(count)), Data(envelope.dropFirst(count)))
  }

  private func checked(_ algorithm: KeyAlgorithm) throws -> KeyAlgorithm {
    guard isSupported(by: algorithm) else {
      throw AtRestError.invalid(
        "A key of algorithm \(algorithm) does not support envelopes of this form.",
        remedy: "Use ECIES with keys of NIST curves, and the RSA form with RSA keys.")
    }
    return algorithm
  }

  private static func keyCount(_ algorithm: KeyAlgorithm) -> Int {
    let large = algorithm.family == .rsa ? 4096 : 257
    return algorithm.keySizeInBits >= large ? 32 : 16
  }

  private func agree(
    _ key: borrowing some X963Agreeing & ~Copyable, with other: PublicKey, _ ephemeral: Data
  ) throws -> KeyAndNonce {
    guard case .ecies(let function, let derivesNonce) = self else {
      preconditionFailure("RSA keys do not agree.")
    }
    let count = Self.keyCount(key.publicKey.algorithm)
    let derived = try key.sharedSecret(
      with: other, derivingX963: function, sharedInfo: ephemeral,
      count: count + (derivesNonce ? Self.nonceCount : 0))
    guard derivesNonce else { return try Self.withZeroNonce(derived) }
    return try derived.withUnsafeBytes { bytes in
      try KeyAndNonce(
        key: SymmetricKey(data: bytes[..<count]), nonce: AES.GCM.Nonce(data: bytes[count...]))
    }
  }

  private static func withZeroNonce(_ key: borrowing SecretBytes) throws -> KeyAndNonce {
    KeyAndNonce(
      // atrest:ignore static-iv Apple's format; the key is used once
      key: key.symmetricKey(), nonce: try AES.GCM.Nonce(data: Data(count: nonceCount)))
  }

  private struct KeyAndNonce {
    let key: SymmetricKey
    let nonce: AES.GCM.Nonce

    func seal(_ message: Data, authenticating context: Data) throws -> Data {
      let box = try AES.GCM.seal(message, using: key, nonce: nonce, authenticating: context)
      return box.ciphertext + box.tag
    }

    func open(_ body: Data, authenticating context: Data) throws -> SecretBytes {
      let box = try AES.GCM.SealedBox(
        nonce: nonce, ciphertext: body.dropLast(tagCount), tag: body.suffix(tagCount))
      guard var message = try? AES.GCM.open(box, using: key, authenticating: context) else {
        throw PublicKeyEnvelope.damaged
      }
      return SecretBytes(erasing: &message)
    }
  }

  private static let damaged = AtRestError.damaged(
    "The ciphertext does not decrypt: it was modified or encrypted to another key.")
}
