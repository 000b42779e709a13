import AtRestCrypto
import Foundation
import Synchronization

/// The proofs that a user has already given and that later calls may use again: the counterpart of
/// `LAContext`.
///
/// Pass one context to several calls, and the user is asked only once.
///
/// ```swift
/// let context = AuthenticationContext(reason: "Pay the invoice")
/// let card = try keychain.secret(for: cardKey, context: context)
/// let pin = try keychain.secret(for: pinKey, context: context)    // does not ask again
/// ```
public final class AuthenticationContext: Sendable {
  /// The ways to handle an item that requires asking the user.
  public enum Interaction: Sendable {
    /// Ask the user.
    case allowed
    /// Throw ``AtRestError/Code/interactionNotAllowed``.
    case forbidden
    /// Leave the item out of a list, and report it in ``KeychainItems/withheld``. A call for a
    /// single item throws ``AtRestError/Code/interactionNotAllowed``.
    case skip
  }

  /// The reason shown to the user.
  public let reason: String
  /// The way to handle an item that requires asking the user.
  public let interaction: Interaction

  /// The button titles of a prompt, and the time after a biometric unlock during which no prompt is
  /// needed.
  package struct Prompting: Sendable {
    /// The title of the button that dismisses the prompt.
    package var cancelTitle: String?
    /// The title of the button for the passcode. An empty title removes the button.
    package var fallbackTitle: String?
    /// The number of seconds after a biometric unlock during which the user is not asked for
    /// biometry again.
    package var reuseDuration: TimeInterval = 0

    package init() {}
  }
  package let prompting: Prompting

  /// The proofs that the user gave. Contexts that differ in reason or interaction may share them.
  private final class Shown: Sendable {
    struct State: ~Copyable {
      /// The store whose passcode the user gave.
      var passcode: Data?
      /// The enrolment that matched, with the store for which the user was asked.
      var biometry: (enrolment: Data, store: Data)?
      var applicationPassword: SecretBox?
      var isValid = true
    }
    let state = Mutex(State())
  }
  private let shown: Shown

  /// Creates a context without any proofs.
  public init(reason: String = "Access a secret", interaction: Interaction = .allowed) {
    self.reason = reason
    self.interaction = interaction
    prompting = Prompting()
    shown = Shown()
  }

  /// Creates a context with the application password.
  public convenience init(
    reason: String = "Access a secret", interaction: Interaction = .allowed,
    applicationPassword: borrowing SecretBytes
  ) {
    self.init(reason: reason, interaction: interaction)
    remember(applicationPassword: SecretBox(applicationPassword.duplicate()))
  }

  private init(
    sharing shown: Shown, reason: String, interaction: Interaction, prompting: Prompting
  ) {
    self.shown = shown
    self.reason = reason
    self.interaction = interaction
    self.prompting = prompting
  }

  /// Returns a context that shares the proofs of this context, including proofs that the user gives
  /// later.
  package func sharing(
    reason: String? = nil, interaction: Interaction? = nil, prompting: Prompting? = nil
  ) -> AuthenticationContext {
    AuthenticationContext(
      sharing: shown, reason: reason ?? self.reason,
      interaction: interaction ?? self.interaction, prompting: prompting ?? self.prompting)
  }

  /// Forgets the proofs. Later calls that need a proof from this context throw
  /// ``AtRestError/Code/canceled``.
  public func invalidate() {
    shown.state.withLock { state in
      state = Shown.State()
      state.isValid = false
    }
  }

  package var isValid: Bool { shown.state.withLock { $0.isValid } }
  // A proof for one store is not valid for another, which has its own passcode and user.
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
  /// Remembers the application password. nil forgets it.
  package func remember(applicationPassword: SecretBox?) {
    remember { $0.applicationPassword = applicationPassword }
  }

  /// Remembers a proof, unless the context was invalidated while the prompt was shown.
  private func remember(_ body: (inout Shown.State) -> Void) {
    shown.state.withLock { if $0.isValid { body(&$0) } }
  }

  func checkValid() throws {
    guard isValid else {
      throw AtRestError(
        .canceled, "The authentication context was invalidated.", remedy: "Create a new one.")
    }
  }

  func mayAsk(for what: String) throws {
    try checkValid()
    guard interaction == .allowed else {
      throw AtRestError(
        .interactionNotAllowed,
        "The item requires \(what), but the caller does not allow asking the user.",
        remedy: "Allow interaction, or pass a context that already contains the proof.")
    }
  }
}
