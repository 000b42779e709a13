import AtRestCrypto
import AtRestKeychain
import Foundation

/// A right that ``LARightStore`` stored, with a key and a secret.
///
/// ```swift
/// let right = try await LARightStore.shared.right(forIdentifier: "server")
/// try await right.authorize(localizedReason: "Sign in")
/// let signature = try await right.key.sign(challenge, algorithm: .ecdsaSignatureMessageX962SHA256)
/// ```
///
/// Source: `LAPersistedRight.h` of the SDK of iOS 18.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  /// The private key that was made when the right was stored. It can be used while the right is
  /// authorized.
  public var key: LAPrivateKey { LAPrivateKey(identifier, keychain, publicKey, shared) }
  /// The secret that was stored with the right.
  public var secret: LASecret { LASecret(identifier, keychain, shared) }
  let identifier: String
  private let keychain: Keychain
  private let publicKey: PublicKey

  init(
    _ requirement: LAAuthenticationRequirement, identifier: String, keychain: Keychain,
    publicKey: PublicKey
  ) {
    (self.identifier, self.keychain, self.publicKey) = (identifier, keychain, publicKey)
    super.init(requirement: requirement)
  }

  /// Asks for the authentication that the stored key requires, and so does the secret. The enrolment of
  /// now is not enough for ``LAAuthenticationRequirement/biometryCurrentSet``.
  override func prove(in context: LAContext, reason: String) async throws {
    guard !reason.isEmpty else {
      throw LAError(.invalidContext, "Non-empty localizedReason must be provided.")
    }
    let tag = LARightStore.keyTag(identifier)
    let proof = context.authenticationContext(reason: reason, interaction: nil)
    do {
      try await keychain.background { try $0.withPrivateKey(tag: tag, context: proof) { _ in } }
    } catch {
      throw LAError(error)
    }
  }
}
