import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation
import Synchronization

/// Asks the user who they are, and remembers that they showed it.
///
/// Given to Keychain Services as `kSecUseAuthenticationContext` after an evaluation, the user is not
/// asked again.
///
/// ```swift
/// let context = LAContext()
/// var error: NSError?
/// guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else { return }
/// try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Pay the invoice")
/// ```
///
/// It asks through the `Authenticator` of the keychain that calls use which name none
/// (`DefaultKeychain`): in tests the user of the simulated device, elsewhere the one that the
/// program gave its keychain. Where there is none, there is no biometry.
///
/// Safe to use from several threads.
open class LAContext: NSObject, @unchecked Sendable {
  private struct State {
    var localizedReason = ""
    var interactionNotAllowed = false
    var prompting = AuthenticationContext.Prompting()
    var maxBiometryFailures: NSNumber?
    var biometryType = LABiometryType.none
    var evaluatedPolicyDomainState: Data?
  }
  private let state = Mutex(State())
  private let shown = AuthenticationContext()

  /// Makes a context in which nothing was shown yet.
  public override init() {}

  // MARK: What the prompts say

  /// The reason shown for calls that give none, such as those of Keychain Services.
  open var localizedReason: String {
    get { state.withLock { $0.localizedReason } }
    set { state.withLock { $0.localizedReason = newValue } }
  }

  /// What the button says that leads from biometry to another way. nil: what it always does; empty:
  /// there is no such button.
  open var localizedFallbackTitle: String? {
    get { state.withLock { $0.prompting.fallbackTitle } }
    set { state.withLock { $0.prompting.fallbackTitle = newValue } }
  }

  /// What the button says that dismisses the prompt. nil: what it always does.
  open var localizedCancelTitle: String? {
    get { state.withLock { $0.prompting.cancelTitle } }
    set { state.withLock { $0.prompting.cancelTitle = newValue } }
  }

  // MARK: Whether there is a prompt

  /// Whether to fail instead of asking: with ``LAError/Code/notInteractive`` here, and with
  /// `errSecInteractionNotAllowed` in Keychain Services.
  open var interactionNotAllowed: Bool {
    get { state.withLock { $0.interactionNotAllowed } }
    set { state.withLock { $0.interactionNotAllowed = newValue } }
  }

  /// For how many seconds after the device was unlocked by biometry nobody is asked for biometry
  /// again; at most ``LATouchIDAuthenticationMaximumAllowableReuseDuration``.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { state.withLock { $0.prompting.reuseDuration } }
    set {
      let duration = min(max(0, newValue), LATouchIDAuthenticationMaximumAllowableReuseDuration)
      state.withLock { $0.prompting.reuseDuration = duration }
    }
  }

  /// Without effect. Apple deprecated it with iOS 9.
  open var maxBiometryFailures: NSNumber? {
    get { state.withLock { $0.maxBiometryFailures } }
    set { state.withLock { $0.maxBiometryFailures = newValue } }
  }

  // MARK: Biometry

  /// The reader that the device has; none before the first ``canEvaluatePolicy(_:error:)``.
  open var biometryType: LABiometryType { state.withLock { $0.biometryType } }

  /// Bytes that change when the enrolment does, of the last policy that could be evaluated; nil where
  /// nobody is enrolled.
  open var evaluatedPolicyDomainState: Data? {
    state.withLock { $0.evaluatedPolicyDomainState }
  }

  /// Who is enrolled, as bytes that change when that does.
  open var domainState: LADomainState {
    LADomainState(authenticator: try? DefaultKeychain.get().authenticator)
  }

  // MARK: Evaluating

  /// Whether a policy could be evaluated now. Asks nobody.
  ///
  /// - Parameter error: Set where not: ``LAError/Code/passcodeNotSet``,
  ///   ``LAError/Code/biometryNotAvailable``, ``LAError/Code/biometryNotEnrolled``,
  ///   ``LAError/Code/biometryLockout``, ``LAError/Code/invalidContext``, and
  ///   ``LAError/Code/notInteractive`` where there is nobody to ask for the passcode.
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    do {
      try checkValid()
      try check(policy, DefaultKeychain.get())
      return true
    } catch let refusal {
      error?.pointee = LAError(refusal) as NSError
      return false
    }
  }

  /// Asks the user for what a policy wants, where this context has not yet seen it.
  ///
  /// - Parameters:
  ///   - localizedReason: What the user reads. An empty one fails with
  ///     ``LAError/Code/invalidContext``; Apple's framework raises an exception.
  ///   - reply: Called once, on a queue of the framework's own. Its calls reach the simulated device
  ///     that this one reached. The error is an ``LAError``.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    evaluate(localizedReason, reply) { keychain, context in
      try self.check(policy, keychain)
      try keychain.authenticate(policy.requirement, context: context)
    }
  }

  /// Asks the user for what a policy wants, where this context has not yet seen it.
  ///
  /// - Returns: True.
  /// - Throws: ``LAError``.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) {
        continuation.resume(with: $1.map { .failure($0) } ?? .success($0))
      }
    }
  }

  /// Asks the user for what an access control wants of an operation, where this context has not yet
  /// seen it. Of the creation of an item, that is the application password alone.
  ///
  /// - Parameters:
  ///   - localizedReason: As in ``evaluatePolicy(_:localizedReason:reply:)``.
  ///   - reply: As in ``evaluatePolicy(_:localizedReason:reply:)``.
  @preconcurrency
  open func evaluateAccessControl(
    _ accessControl: AccessControlObject, operation: LAAccessControlOperation,
    localizedReason: String, reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let control = accessControl.protection.accessControl
    evaluate(localizedReason, reply) { keychain, context in
      try keychain.authenticate(
        operation.isCreation ? nil : control?.requirement,
        applicationPassword: control?.applicationPassword == true, context: context)
    }
  }

  /// Asks the user for what an access control wants of an operation.
  ///
  /// - Returns: True.
  /// - Throws: ``LAError``.
  @discardableResult
  open func evaluateAccessControl(
    _ accessControl: AccessControlObject, operation: LAAccessControlOperation,
    localizedReason: String
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluateAccessControl(
        accessControl, operation: operation, localizedReason: localizedReason
      ) {
        continuation.resume(with: $1.map { .failure($0) } ?? .success($0))
      }
    }
  }

  /// Forgets what was shown. Evaluations under way end with ``LAError/Code/appCancel``, later ones with
  /// ``LAError/Code/invalidContext``.
  open func invalidate() { shown.invalidate() }

  // MARK: Credentials

  /// Gives the context a credential, so that nobody is asked for it.
  ///
  /// - Parameter credential: nil takes it back.
  /// - Returns: False where the context is invalid, and for a smart card's PIN: there are no smart
  ///   cards.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword, shown.isValid else { return false }
    shown.remember(
      applicationPassword: credential?.withUnsafeBytes { SecretBox(SecretBytes(copying: $0)) })
    return true
  }

  /// Whether the context has a credential.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && shown.knownApplicationPassword != nil
  }

  // MARK: Parts of an evaluation

  private static let queue = DispatchQueue(
    label: "atrest.local-authentication", attributes: .concurrent)

  private func evaluate(
    _ reason: String, _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ ask: @escaping @Sendable (Keychain, AuthenticationContext) throws -> Void
  ) {
    // Found here, since a task's device is not there on a queue.
    let device = DefaultKeychain.taskSource
    let keychain = Result { try DefaultKeychain.get() }
    let context = authenticationContext(reason: reason, interaction: nil)
    Self.queue.async {
      DefaultKeychain.$taskSource.withValue(device) {
        do {
          guard !reason.isEmpty else {
            throw LAError(.invalidContext, "Non-empty localizedReason must be provided.")
          }
          try self.checkValid()
          do {
            try ask(keychain.get(), context)
          } catch  where !context.isValid {
            throw LAError(.appCancel, "The context was invalidated while the user was asked.")
          }
        } catch {
          return reply(false, LAError(error))
        }
        reply(true, nil)
      }
    }
  }

  private func checkValid() throws {
    guard shown.isValid else {
      throw LAError(.invalidContext, "The context was invalidated.")
    }
  }

  private func check(_ policy: LAPolicy, _ keychain: Keychain) throws {
    let authenticator = keychain.authenticator
    let domain = LADomainState(authenticator: authenticator)
    state.withLock {
      $0.biometryType = domain.biometry.biometryType
      $0.evaluatedPolicyDomainState = nil
    }
    switch policy {
    case .deviceOwnerAuthenticationWithBiometrics,
      .deviceOwnerAuthenticationWithBiometricsOrCompanion:
      guard let authenticator, authenticator.biometryKind != nil else {
        throw LAError(.biometryNotAvailable, "The device has no biometry.")
      }
      try checkPasscode(keychain)
      guard authenticator.biometry != .unavailable else {
        throw LAError(.biometryNotEnrolled, "Nobody is enrolled.")
      }
      guard !authenticator.isBiometryLockedOut else {
        throw LAError(.biometryLockout, "Biometry failed too often; the passcode is needed.")
      }
    case .deviceOwnerAuthentication:
      try checkPasscode(keychain)
      guard authenticator != nil else {
        throw LAError(.notInteractive, "There is nobody to ask for the passcode.")
      }
    case .deviceOwnerAuthenticationWithCompanion:
      throw LAError(.companionNotAvailable, "There are no companion devices.")
    }
    state.withLock { $0.evaluatedPolicyDomainState = domain.biometry.stateHash }
  }

  private func checkPasscode(_ keychain: Keychain) throws {
    guard keychain.keybag.hasPasscode else {
      throw LAError(.passcodeNotSet, "No passcode is set.")
    }
  }
}

extension LAContext: AuthenticationContextHolder {
  package func authenticationContext(
    reason: String?, interaction: AuthenticationContext.Interaction?
  ) -> AuthenticationContext {
    // The getters, which a subclass may override.
    let own = localizedReason
    return shown.sharing(
      reason: reason ?? (own.isEmpty ? nil : own),
      interaction: interaction ?? (interactionNotAllowed ? .forbidden : .allowed),
      prompting: state.withLock { $0.prompting })
  }
}

/// The longest that an unlock by biometry counts, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
