import AtRestCrypto
import Crypto
import Foundation

/// The name of an object or NV index of a TPM: the algorithm 0x000B (SHA-256), and the SHA-256 of
/// its public area (TPM 2.0 Library, part 1, section 16). 34 bytes.
///
/// Two objects with the same name have the same public area. The name of a primary key therefore
/// identifies a TPM until it is cleared.
package struct TPMName: Hashable, Sendable {
  /// The 34 bytes of the name.
  package let data: Data

  /// Creates a name from its bytes.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if they are not a SHA-256 name.
  package init(_ data: Data) throws {
    guard data.count == 34, data.starts(with: [0x00, 0x0B]) else {
      throw AtRestError.damaged("The name of a TPM object is malformed.")
    }
    self.data = Data(data)
  }

  /// Computes the name of a `TPMT_PUBLIC` or `TPMS_NV_PUBLIC`.
  init(of area: some DataProtocol) {
    data = Data([0x00, 0x0B]) + SHA256.hash(data: area)
  }
}
