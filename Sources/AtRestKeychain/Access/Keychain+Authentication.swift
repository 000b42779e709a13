import AtRestCrypto
import Foundation

/// Asking the user for no item's sake, as `LAContext` does.
extension Keychain {
  /// Asks for what a requirement wants, and remembers in the context what was shown. A current set is
  /// the one that is enrolled now.
  ///
  /// - Throws: What reading an item under this requirement throws.
  package func authenticate(
    _ requirement: AccessControl.Requirement?, applicationPassword: Bool = false,
    context: AuthenticationContext
  ) throws {
    let decision = AccessDecision(
      keybag: keybag, authenticator: authenticator, context: context, now: now)
    var enrolment: Data?
    if case .enrolled(let now) = biometry { enrolment = now }
    try decision.require(requirement, enrolment: enrolment)
    if applicationPassword { _ = try decision.applicationPassword() }
    // Invalidated while the user was asked: what they showed is forgotten.
    try context.checkValid()
  }
}
