import AtRestCrypto
import Foundation
import Synchronization

/// What was shown by the user already, and may be used again: the counterpart of `LAContext`.
///
/// Give one context to several calls, and the user is asked once.
///
/// ```swift
/// let context = AuthenticationContext(reason: "Pay the invoice")
/// let card = try keychain.secret(for: cardKey, context: context)
/// let pin = try keychain.secret(for: pinKey, context: context)    // not asked again
/// ```
public final class AuthenticationContext: Sendable {
  /// What happens where the user would have to be asked.
  public enum Interaction: Sendable {
    /// Ask.
    case allowed
    /// Throw ``AtRestError/Code/interactionNotAllowed``.
    case forbidden
    /// Leave the item out of a list.
    case skip
  }

  /// The reason shown to the user.
  public let reason: String
  /// What happens where the user would have to be asked.
  public let interaction: Interaction

  /// How a prompt looks, and when none is needed.
  package struct Prompting: Sendable {
    /// What the button that dismisses the prompt says.
    package var cancelTitle: String?
    /// What the button for the passcode says; empty: there is none.
    package var fallbackTitle: String?
    /// For how many seconds after an unlock by biometry nobody is asked for biometry again.
    package var reuseDuration: TimeInterval = 0

    package init() {}
  }
  package let prompting: Prompting

  /// What the user showed, perhaps to several contexts that differ in reason or interaction.
  private final class Shown: Sendable {
    struct State: ~Copyable {
      /// The store whose passcode it was.
      var passcode: Data?
      /// Who was enrolled, and in which store's eyes.
      var biometry: (enrolment: Data, store: Data)?
      var applicationPassword: SecretBox?
      var isValid = true
    }
    let state = Mutex(State())
  }
  private let shown: Shown

  /// Makes a context in which nothing was shown yet.
  public init(reason: String = "Access a secret", interaction: Interaction = .allowed) {
    self.reason = reason
    self.interaction = interaction
    prompting = Prompting()
    shown = Shown()
  }

  /// Makes a context that knows the application password.
  public convenience init(
    reason: String = "Access a secret", interaction: Interaction = .allowed,
    applicationPassword: borrowing SecretBytes
  ) {
    self.init(reason: reason, interaction: interaction)
    remember(applicationPassword: SecretBox(applicationPassword.duplicate()))
  }

  private init(
    _ shown: Shown, _ reason: String, _ interaction: Interaction, _ prompting: Prompting
  ) {
    self.shown = shown
    self.reason = reason
    self.interaction = interaction
    self.prompting = prompting
  }

  /// A context that shares with this one what was shown, also later on.
  package func sharing(
    reason: String? = nil, interaction: Interaction? = nil, prompting: Prompting? = nil
  ) -> AuthenticationContext {
    AuthenticationContext(
      shown, reason ?? self.reason, interaction ?? self.interaction, prompting ?? self.prompting)
  }

  /// Forgets what was shown; later uses throw.
  public func invalidate() {
    shown.state.withLock { state in
      state = Shown.State()
      state.isValid = false
    }
  }

  package var isValid: Bool { shown.state.withLock { $0.isValid } }
  // What opens one store says nothing to another, which has a passcode and a user of its own.
  func isPasscodeShown(to store: Data) -> Bool { shown.state.withLock { $0.passcode == store } }
  func shownBiometry(to store: Data) -> Data? {
    shown.state.withLock { $0.biometry?.store == store ? $0.biometry?.enrolment : nil }
  }
  package var knownApplicationPassword: SecretBox? {
    shown.state.withLock { $0.applicationPassword }
  }
  func rememberPasscode(of store: Data) { remember { $0.passcode = store } }
  func remember(biometry: Data, of store: Data) {
    remember { $0.biometry = (biometry, store) }
  }
  /// nil forgets it.
  package func remember(applicationPassword: SecretBox?) {
    remember { $0.applicationPassword = applicationPassword }
  }

  /// What is shown to a prompt that was up while the context was invalidated counts for nothing.
  private func remember(_ body: (inout Shown.State) -> Void) {
    shown.state.withLock { if $0.isValid { body(&$0) } }
  }

  func checkValid() throws {
    guard isValid else {
      throw AtRestError(
        .canceled, "The authentication context was invalidated.", remedy: "Make a new one.")
    }
  }

  func mayAsk(for what: String) throws {
    try checkValid()
    guard interaction == .allowed else {
      throw AtRestError(
        .interactionNotAllowed, "The item asks for \(what), and the caller forbade asking.",
        remedy: "Allow interaction, or give a context in which it was shown already.")
    }
  }
}

/// An object of another room that stands for a context: `LAContext`.
package protocol AuthenticationContextHolder: AnyObject {
  /// The context, as it is now; the arguments override what it says itself.
  func authenticationContext(
    reason: String?, interaction: AuthenticationContext.Interaction?
  ) -> AuthenticationContext
}
