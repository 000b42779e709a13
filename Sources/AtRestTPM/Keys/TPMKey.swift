import AtRestCrypto
import Foundation

/// A P-256 key pair whose private half only the TPM that made it can use, for signatures and key
/// agreement.
package struct TPMKey: Sendable, Equatable {
  /// The key as an object to store.
  package let object: TPMObject
  /// The public key in X9.63 form: 0x04, x and y, 65 bytes.
  package let publicKey: Data

  /// Takes an object for a key.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if its public area is not that of a key as
  ///   ``TPMConnection/createKey(authorization:)`` makes it.
  package init(_ object: TPMObject) throws {
    guard let publicKey = TPMPublic.publicKey(of: object.publicArea) else {
      throw AtRestError.damaged("The object of the TPM is not a P-256 key that AtRest made.")
    }
    self.object = object
    self.publicKey = publicKey
  }

  /// True if the key needs an authorization value, to which the TPM's dictionary-attack protection
  /// applies.
  package var isProtected: Bool {
    TPMPublic.isMade(object.publicArea, from: TPMPublic.keyTemplate(isProtected: true))
  }
}
