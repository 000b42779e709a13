import CAtRestSystem
import Crypto
import CryptoExtras
import Foundation

/// The password of a PKCS#12 file (RFC 7292), which authenticates the file and decrypts its parts.
package struct PKCS12Password: ~Copyable {
  private let utf8: SecretBytes
  /// The password in big-endian UTF-16, followed by two zero bytes.
  private let utf16: SecretBytes

  package init(_ password: String) {
    utf8 = SecretBytes(utf8: password)
    utf16 = SecretBytes(count: 2 * password.utf16.count + 2) { bytes in
      for (index, unit) in password.utf16.enumerated() {
        bytes[2 * index] = UInt8(unit >> 8)
        bytes[2 * index + 1] = UInt8(truncatingIfNeeded: unit)
      }
    }
  }

  /// Returns the HMAC of the content, with a key derived from the password and a salt (RFC 7292,
  /// B.2).
  package borrowing func authenticationCode(
    for content: Data, _ function: DigestFunction, salt: Data, rounds: Int
  ) -> Data {
    func code<Hash: HashFunction>(_: Hash.Type) -> Data {
      Remains.erased(after: .mac, freed: Hash.paddedKey) {
        let key = utf16.withUnsafeBytes { Self.authenticationKey(Hash.self, $0, salt, rounds) }
        return Data(HMAC<Hash>.authenticationCode(for: content, using: key))
      }
    }
    return switch function {
    case .sha1: code(Insecure.SHA1.self)
    case .sha256: code(SHA256.self)
    case .sha384: code(SHA384.self)
    case .sha512: code(SHA512.self)
    }
  }

  /// Returns true if an HMAC is the ``authenticationCode(for:_:salt:rounds:)`` of the content.
  ///
  /// PKCS#12 distinguishes a missing password from an empty one. Here, an empty password matches
  /// both.
  package borrowing func isValid(
    authenticationCode code: Data, for content: Data, _ function: DigestFunction, salt: Data,
    rounds: Int
  ) -> Bool {
    func matches<Hash: HashFunction>(_: Hash.Type, _ password: UnsafeRawBufferPointer) -> Bool {
      Remains.erased(after: .mac, freed: Hash.paddedKey) {
        let key = Self.authenticationKey(Hash.self, password, salt, rounds)
        return HMAC<Hash>.isValidAuthenticationCode(code, authenticating: content, using: key)
      }
    }
    func matches(_ password: UnsafeRawBufferPointer) -> Bool {
      switch function {
      case .sha1: matches(Insecure.SHA1.self, password)
      case .sha256: matches(SHA256.self, password)
      case .sha384: matches(SHA384.self, password)
      case .sha512: matches(SHA512.self, password)
      }
    }
    return utf16.withUnsafeBytes { matches($0) }
      || utf8.count == 0 && matches(UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private static func authenticationKey<Hash: HashFunction>(
    _: Hash.Type, _ password: UnsafeRawBufferPointer, _ salt: Data, _ rounds: Int
  ) -> SymmetricKey {
    let block = Hash.blockByteCount
    func padded(_ count: Int) -> Int { (count + block - 1) / block * block }
    let saltCount = padded(salt.count)
    let passwordCount = padded(password.count)
    let input = SecretBytes(count: block + saltCount + passwordCount) { input in
      // 3 identifies a key for authentication. The key is as long as one hash.
      for index in 0..<block { input[index] = 3 }
      for index in 0..<saltCount {
        input[block + index] = salt[salt.startIndex + index % salt.count]
      }
      for index in 0..<passwordCount {
        input[block + saltCount + index] = password[index % password.count]
      }
    }
    var digest = input.withUnsafeBytes { bytes in
      var hash = Hash()
      hash.update(bufferPointer: bytes)
      return hash.finalize()
    }
    for _ in 1..<max(rounds, 1) {
      digest = digest.withUnsafeBytes { bytes in
        var hash = Hash()
        hash.update(bufferPointer: bytes)
        return hash.finalize()
      }
    }
    return digest.withUnsafeBytes { SymmetricKey(data: $0) }
  }

  /// The pseudorandom functions of PBKDF2. Only the first two are common.
  package enum PBKDF2Function: Sendable { case sha256, sha1, sha224, sha384, sha512 }

  /// Decrypts AES-CBC under a key derived with PBKDF2: PBES2 (RFC 8018).
  ///
  /// - Parameter keyCount: The size of the AES key: 16, 24 or 32 bytes.
  /// - Returns: The plaintext, or nil if the padding is wrong, as it usually is with a wrong
  ///   password.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key cannot be derived.
  package borrowing func decrypt(
    _ ciphertext: Data, iv: Data, _ function: PBKDF2Function, salt: Data, rounds: Int,
    keyCount: Int
  ) throws -> SecretBytes? {
    let hash: PBKDF2.Function =
      switch function {
      case .sha1: .insecureSHA1
      case .sha224: .insecureSHA224
      case .sha256: .sha256
      case .sha384: .sha384
      case .sha512: .sha512
      }
    return try Remains.erased(after: .cipher) {
      let key: SymmetricKey
      do {
        key = try utf8.withUnsafeBytes { password in
          try PBKDF2.key(from: password, salt: salt, hash, rounds: rounds, count: keyCount)
        }
      } catch {
        throw AtRestError(
          .invalidArgument, "PBKDF2 could not be computed.",
          remedy: "Check that the machine has enough memory.", cause: error)
      }
      guard let iv = try? AES._CBC.IV(ivBytes: iv),
        var plaintext = try? AES._CBC.decrypt(ciphertext, using: key, iv: iv)
      else { return nil }
      return SecretBytes(erasing: &plaintext)
    }
  }
}

extension PKCS12Password {
  /// The reason why an old cipher cannot be used.
  package enum OldCipherError: Error { case noLibrary, noProvider }

  /// Decrypts a part with a cipher that predates AES: 3DES, RC2 or RC4. OpenSSL's libcrypto does it, which is loaded
  /// for this alone. Thread-safe.
  ///
  /// - Parameter algorithm: The AlgorithmIdentifier of the cipher (RFC 7292, appendix C, or RFC 8018).
  /// - Returns: The plaintext, or nil if the password or the bytes are wrong.
  package borrowing func decrypt(
    _ ciphertext: Data, byOldCipher algorithm: [UInt8]
  ) throws(OldCipherError) -> SecretBytes? {
    guard !ciphertext.isEmpty else { return nil }
    let terminated = SecretBytes(count: utf8.count + 1) { bytes in
      utf8.withUnsafeBytes { bytes.copyMemory(from: $0) }
    }
    // A missing password is not the same as an empty one.
    for isMissing in utf8.count == 0 ? [false, true] : [false] {
      var status: Int32 = 0
      var count = ciphertext.count
      let output = SecretBytes(count: count) { output in
        terminated.withUnsafeBytes { password in
          ciphertext.withUnsafeBytes { input in
            status = atrest_old_cipher(
              algorithm, algorithm.count, isMissing ? nil : password.baseAddress!, utf8.count,
              input.baseAddress!, input.count, output.baseAddress!, &count)
          }
        }
      }
      switch Int(status) {
      case ATREST_OLD_CIPHER_DONE:
        return output.withUnsafeBytes { SecretBytes(copying: .init(rebasing: $0.prefix(count))) }
      case ATREST_OLD_CIPHER_NO_LIBRARY: throw .noLibrary
      case ATREST_OLD_CIPHER_NO_PROVIDER: throw .noProvider
      default: continue
      }
    }
    return nil
  }
}

extension HashFunction {
  /// The size of the block to which HMAC pads the key, with 32 bytes of header.
  fileprivate static var paddedKey: Int { 32 + blockByteCount }
}
