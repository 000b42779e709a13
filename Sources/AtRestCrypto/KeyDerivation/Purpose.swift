import Crypto
import Foundation

/// What a derived key is for: the label that keeps keys of one root apart.
///
/// ```swift
/// extension Purpose { static let invoiceSeal = Purpose("com.example.invoice-seal.v1") }
/// let key = root.derive(.invoiceSeal)
/// ```
public struct Purpose: Hashable, Sendable {
  /// The label, used as the `info` of HKDF.
  public let label: String

  /// Makes a purpose from a label that no other use has.
  public init(_ label: String) { self.label = label }
}

extension SecretBytes {
  /// Derives a key for one purpose: HKDF-SHA-256, RFC 5869.
  ///
  /// - Parameters:
  ///   - purpose: What the key is for.
  ///   - salt: Optional, need not be secret.
  ///   - context: Further input that separates keys of the same purpose.
  ///   - count: Bytes to derive, 1 to 8,160.
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

  /// The HMAC-SHA-256 of a message under these bytes (RFC 2104), 32 bytes.
  public borrowing func authenticationCode(for message: some DataProtocol) -> Data {
    Remains.erased(after: .mac) {
      Data(HMAC<SHA256>.authenticationCode(for: message, using: symmetricKey()))
    }
  }

  /// Returns true if a code is the HMAC-SHA-256 of a message, compared in constant time.
  public borrowing func isValid(
    authenticationCode code: some ContiguousBytes, for message: some DataProtocol
  ) -> Bool {
    Remains.erased(after: .mac) {
      HMAC<SHA256>.isValidAuthenticationCode(
        code, authenticating: message, using: symmetricKey())
    }
  }
}
