import Crypto
import CryptoExtras
import Foundation

/// AES-256-CMAC (NIST SP 800-38B) under one key, for many short messages.
///
/// The key schedule is in memory that is not locked, but that is erased on release.
package struct MessageAuthenticator: Sendable {
  private let state: AES.CMAC

  /// Creates an authenticator from a key.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the key does not have 32 bytes.
  package init(_ key: borrowing SecretBytes) throws {
    guard key.count == 32 else {
      throw AtRestError.invalid(
        "An AES-256-CMAC key has 32 bytes, not \(key.count).",
        remedy: "Derive a key of 32 bytes or generate a random one.")
    }
    state = try Remains.erased(after: []) { try AES.CMAC(key: key.symmetricKey()) }
  }

  /// Returns the authentication code of a message, 16 bytes.
  package func authenticationCode(for message: UnsafeRawBufferPointer) -> AES.CMAC.MAC {
    // BoringSSL overwrites the parts of the state that it frees.
    Remains.erased(after: []) {
      var code = state
      code.update(bufferPointer: message)
      return code.finalize()
    }
  }
}
