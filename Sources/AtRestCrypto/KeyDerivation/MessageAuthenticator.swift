import Crypto
import CryptoExtras
import Foundation

/// AES-256-CMAC (NIST SP 800-38B) under one key, for many short messages.
///
/// Keeps the key's schedule, in memory that is erased when it is let go of but not locked.
package struct MessageAuthenticator: Sendable {
  private let state: AES.CMAC

  /// - Throws: ``AtRestError/Code/invalidArgument`` if there are not 32 bytes.
  package init(_ key: borrowing SecretBytes) throws {
    guard key.count == 32 else {
      throw AtRestError.invalid(
        "A key of AES-256-CMAC has 32 bytes, not \(key.count).",
        remedy: "Derive or draw 32 bytes.")
    }
    state = try Remains.erased(after: []) { try AES.CMAC(key: key.symmetricKey()) }
  }

  /// The code of a message, 16 bytes.
  package func authenticationCode(for message: UnsafeRawBufferPointer) -> AES.CMAC.MAC {
    // BoringSSL overwrites what it frees of the state.
    Remains.erased(after: []) {
      var code = state
      code.update(bufferPointer: message)
      return code.finalize()
    }
  }
}

/// HMAC-SHA-256 of a message that comes in pieces.
package struct RunningAuthenticator {
  private var state: HMAC<SHA256>

  package init(_ key: borrowing SecretBytes) {
    state = Remains.erased(after: .mac) { HMAC<SHA256>(key: key.symmetricKey()) }
  }

  package mutating func update(_ piece: UnsafeRawBufferPointer) {
    Remains.erased(after: []) { state.update(data: piece) }
  }

  /// The code of what came so far, 32 bytes.
  package func authenticationCode() -> Data {
    Remains.erased(after: []) { Data(state.finalize()) }
  }
}
