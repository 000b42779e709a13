import Crypto
import Foundation

/// The purpose of a derived key: a label that separates the keys derived from one root.
///
/// ```swift
/// extension Purpose { static let invoiceSeal = Purpose("com.example.invoice-seal.v1") }
/// let key = root.derive(.invoiceSeal)
/// ```
public struct Purpose: Hashable, Sendable {
  /// The label, used as the `info` of HKDF.
  public let label: String

  /// Creates a purpose from a label. Use a different label for each purpose.
  public init(_ label: String) { self.label = label }
}

extension SecretBytes {
  /// Derives a key for one purpose: HKDF-SHA-256, RFC 5869.
  ///
  /// - Parameters:
  ///   - purpose: The purpose of the key.
  ///   - salt: An optional salt, which need not be secret.
  ///   - context: Further input that separates keys of the same purpose.
  ///   - count: The number of bytes to derive, 1 to 8,160.
  public borrowing func derive(
    _ purpose: Purpose, salt: some DataProtocol = Data(), context: Data = Data(), count: Int = 32
  ) -> SecretBytes {
    precondition((1...8160).contains(count), "HKDF-SHA-256 derives 1 to 8,160 bytes.")
    var info = ByteWriter()
    info.counted(Data(purpose.label.utf8))
    info.fixed(context)
    return Remains.erased(after: .mac) {
      SecretBytes(
        HKDF<SHA256>.deriveKey(
          inputKeyMaterial: symmetricKey(), salt: salt, info: info.data, outputByteCount: count))
    }
  }

  /// Returns the HMAC-SHA-256 (RFC 2104) of a message, 32 bytes, with these bytes as the key.
  public borrowing func authenticationCode(for message: some DataProtocol) -> Data {
    Remains.erased(after: .mac) {
      Data(HMAC<SHA256>.authenticationCode(for: message, using: symmetricKey()))
    }
  }

  /// Returns true if a code is the HMAC-SHA-256 of a message. The comparison takes constant time.
  public borrowing func isValid(
    authenticationCode code: some ContiguousBytes, for message: some DataProtocol
  ) -> Bool {
    Remains.erased(after: .mac) {
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: message, using: symmetricKey())
    }
  }
}
