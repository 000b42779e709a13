import AtRestCrypto
import Foundation

/// Asking the user without an item, as `LAContext` does.
extension Keychain {
  /// Asks the user for a requirement, and remembers the proof in the context. A current set means
  /// the current enrolment.
  ///
  /// - Throws: The errors of reading an item under this requirement.
  package func authenticate(
    _ requirement: AccessControl.Requirement?, applicationPassword: Bool = false,
    context: AuthenticationContext
  ) throws {
    let decision = AccessDecision(
      keybag: keybag, authenticator: authenticator, context: context, now: now)
    var enrolment: Data?
    if case .enrolled(let now)? = authenticator?.biometry { enrolment = now }
    try decision.require(requirement, enrolment: enrolment)
    if applicationPassword { _ = try decision.applicationPassword() }
    // The context was invalidated while the user was asked: the proof is forgotten.
    try context.checkValid()
  }
}
