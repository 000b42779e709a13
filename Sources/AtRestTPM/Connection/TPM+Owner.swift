import AtRestCrypto
import Synchronization

extension TPM {
  /// The source of the password of the owner hierarchy, which most TPMs do not have. It is asked only
  /// after a TPM has refused the empty password, and returns nil if there is no answer.
  ///
  /// By default, it reads the file that the variable `ATREST_TPM_OWNER_PASSWORD_FILE` names.
  package static let ownerPassword = Mutex<@Sendable () throws -> SecretBox?>(
    OwnerPasswordFile.read)
}

extension TPMConnection {
  /// The longest authorization value of a hierarchy, in bytes: a SHA-256 digest.
  private static let ownerPasswordLimit = 32

  /// Runs a command that the owner hierarchy authorizes: with the empty password, and with the owner's
  /// if the TPM refuses that.
  ///
  /// The owner hierarchy is outside the dictionary-attack protection.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if there is a password, and none or a wrong one is
  ///   given.
  func asOwner<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
    do {
      return try body()
    } catch let refusal as TPMRefusal where refusal.isWrongAuthorization {
      guard let password = try TPM.ownerPassword.withLock({ $0 })() else {
        throw AtRestError.ownerAuthorization(refusal)
      }
      guard password.bytes.count <= Self.ownerPasswordLimit else {
        throw AtRestError.invalid(
          "The password of the TPM's owner has more than \(Self.ownerPasswordLimit) bytes.",
          remedy: "Give the one that was set with tpm2_changeauth.")
      }
      holdsSecrets = true
      try setAuthorization(of: TPMConstants.libraryOwner, to: password.bytes.duplicate())
      defer { try? setAuthorization(of: TPMConstants.libraryOwner, to: nil) }
      do {
        return try body()
      } catch let refusal as TPMRefusal where refusal.isWrongAuthorization {
        throw AtRestError(
          .notPermitted, "The password of the TPM's owner is wrong.",
          remedy: "Give the one that was set with tpm2_changeauth.", cause: refusal)
      }
    }
  }
}
