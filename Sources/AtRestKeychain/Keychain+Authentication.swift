import AtRestCrypto
import Foundation

/// Asking the user without an item, as `LAContext` does.
extension Keychain {
  /// Asks the user for the proof that a requirement specifies, and remembers the proof in the
  /// context. ``AccessControl/Biometry/currentSet`` stands for the fingers or faces that are
  /// enrolled now.
  ///
  /// - Throws: The errors of reading an item under this requirement.
  package func authenticate(
    _ requirement: AccessControl.Requirement?, applicationPassword: Bool = false,
    context: AuthenticationContext
  ) throws {
    let decision = try directly("asks for no proofs") { $0.decision(context) }
    var enrolment: Data?
    if case .enrolled(let now)? = authenticator?.biometry { enrolment = now }
    try decision.require(requirement, enrolment: enrolment)
    if applicationPassword { _ = try decision.applicationPassword() }
    // If the context was invalidated while the user was asked, the proof was not remembered.
    try context.checkValid()
  }
}
