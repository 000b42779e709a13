import Crypto
import CryptoExtras
import Foundation

/// HMAC-SHA-256 of a message that is read in pieces.
package struct RunningAuthenticator {
  private var state: HMAC<SHA256>

  package init(_ key: borrowing SecretBytes) {
    state = Remains.erased(after: .mac) { HMAC<SHA256>(key: key.symmetricKey()) }
  }

  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    Remains.erased(after: []) { state.update(data: piece) }
  }

  /// Returns the authentication code of the pieces so far, 32 bytes.
  package func authenticationCode() -> Data {
    Remains.erased(after: []) { Data(state.finalize()) }
  }
}
