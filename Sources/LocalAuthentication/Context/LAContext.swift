// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation
import Synchronization

/// Authenticates the user, and remembers successful authentications.
///
/// If you pass the context to Keychain Services as `kSecUseAuthenticationContext` after an
/// evaluation, the user is not asked again.
///
/// ```swift
/// let context = LAContext()
/// var error: NSError?
/// guard context.canEvaluatePolicy(.deviceOwnerAuthentication, error: &error) else { return }
/// try await context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "Pay the invoice")
/// ```
///
/// The context asks the user through the `Authenticator` of the default keychain
/// (`DefaultKeychain`). In tests, the authenticator is the user of the simulated device. In a
/// program, it is the authenticator with which the program created its keychain. Without an
/// authenticator, biometry is not available. A context that was created on a simulated device uses
/// this device on every thread.
///
/// A context can be used from several threads.
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
  package let source = DefaultKeychain.source

  /// Creates a context without any authentication.
  public override init() {}

  // MARK: Texts of the prompts

  /// The default reason for prompts, shown if a call, such as one of Keychain Services, provides no
  /// reason.
  open var localizedReason: String {
    get { state.withLock { $0.localizedReason } }
    set { state.withLock { $0.localizedReason = newValue } }
  }

  /// The title of the button that leads from biometry to another method.
  ///
  /// Nil means the default title, and an empty title removes the button.
  open var localizedFallbackTitle: String? {
    get { state.withLock { $0.prompting.fallbackTitle } }
    set { state.withLock { $0.prompting.fallbackTitle = newValue } }
  }

  /// The title of the button that dismisses the prompt, or nil for the default title.
  open var localizedCancelTitle: String? {
    get { state.withLock { $0.prompting.cancelTitle } }
    set { state.withLock { $0.prompting.cancelTitle = newValue } }
  }

  // MARK: Interaction

  /// A Boolean value that is true if evaluations fail instead of asking the user.
  ///
  /// Evaluations fail with ``LAError/Code/notInteractive``, and calls of Keychain Services with
  /// this context fail with `errSecInteractionNotAllowed`.
  open var interactionNotAllowed: Bool {
    get { state.withLock { $0.interactionNotAllowed } }
    set { state.withLock { $0.interactionNotAllowed = newValue } }
  }

  /// The number of seconds after a biometric unlock during which the user is not asked for biometry
  /// again.
  ///
  /// The default is 0. A value above ``LATouchIDAuthenticationMaximumAllowableReuseDuration`` is
  /// reduced to this maximum.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { state.withLock { $0.prompting.reuseDuration } }
    set {
      let duration = min(max(0, newValue), LATouchIDAuthenticationMaximumAllowableReuseDuration)
      state.withLock { $0.prompting.reuseDuration = duration }
    }
  }

  /// This property has no effect. Apple deprecated it with iOS 9.
  open var maxBiometryFailures: NSNumber? {
    get { state.withLock { $0.maxBiometryFailures } }
    set { state.withLock { $0.maxBiometryFailures = newValue } }
  }

  // MARK: Biometry

  /// The biometry that the device supports.
  ///
  /// The value is ``LABiometryType/none`` before the first evaluation or check of a policy.
  open var biometryType: LABiometryType { state.withLock { $0.biometryType } }

  /// Bytes that change when the enrolled fingers or faces change, or nil if none are enrolled.
  ///
  /// Each evaluation or check of a policy sets the property. The value is nil if the policy cannot
  /// be evaluated.
  open var evaluatedPolicyDomainState: Data? {
    state.withLock { $0.evaluatedPolicyDomainState }
  }

  /// The current enrolment on the device, as bytes that change when the enrolment changes.
  open var domainState: LADomainState {
    let keychain = try? DefaultKeychain.get(for: self, "LAContext.domainState")
    return LADomainState(keychain.map(AuthenticationEnvironment.Reading.init) ?? .none)
  }

  // MARK: Evaluating

  /// Returns true if a policy can be evaluated now. The user is not asked.
  ///
  /// - Parameter error: Set if the method returns false: ``LAError/Code/passcodeNotSet``,
  ///   ``LAError/Code/biometryNotAvailable``, ``LAError/Code/biometryNotEnrolled``,
  ///   ``LAError/Code/biometryLockout``, ``LAError/Code/companionNotAvailable``,
  ///   ``LAError/Code/invalidContext``, or ``LAError/Code/notInteractive`` if there is no
  ///   authenticator to ask for the passcode.
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    do {
      try checkValid()
      try check(policy, DefaultKeychain.get(for: self, "LAContext.canEvaluatePolicy"))
      return true
    } catch let refusal {
      error?.pointee = LAError(refusal) as NSError
      return false
    }
  }

  /// Asks the user for the authentication that a policy requires, and calls a closure with the
  /// result.
  ///
  /// The user is not asked again for an authentication that this context already has.
  ///
  /// - Parameters:
  ///   - localizedReason: The reason that the user sees. An empty reason fails with
  ///     ``LAError/Code/invalidContext``. Apple's framework raises an exception instead.
  ///   - reply: Called once, on a queue of this module. In tests, keychain calls in the closure use
  ///     the same simulated device as this method. The error is an ``LAError``, or nil if the
  ///     authentication succeeded.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy, localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    evaluate("LAContext.evaluatePolicy", localizedReason, reply) { keychain, context in
      try self.check(policy, keychain)
      try keychain.authenticate(policy.requirement, context: context)
    }
  }

  /// Asks the user for the authentication that a policy requires.
  ///
  /// The user is not asked again for an authentication that this context already has.
  ///
  /// - Returns: Always true.
  /// - Throws: ``LAError``.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) {
        continuation.resume(with: $1.map { .failure($0) } ?? .success($0))
      }
    }
  }

  /// Asks the user for the authentication that an access control requires for an operation, and
  /// calls a closure with the result.
  ///
  /// The user is not asked again for an authentication that this context already has. Creating an
  /// item or a key requires only the application password, if the access control has one.
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
    evaluate("LAContext.evaluateAccessControl", localizedReason, reply) { keychain, context in
      try keychain.authenticate(
        operation.isCreation ? nil : control?.requirement,
        applicationPassword: control?.applicationPassword == true, context: context)
    }
  }

  /// Asks the user for the authentication that an access control requires for an operation.
  ///
  /// - Returns: Always true.
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

  /// Invalidates the context and forgets all authentications.
  ///
  /// Evaluations in progress end with ``LAError/Code/appCancel``. Later evaluations fail with
  /// ``LAError/Code/invalidContext``.
  open func invalidate() { shown.invalidate() }

  // MARK: Credentials

  /// Sets a credential of the context, so that the user is not asked for the credential.
  ///
  /// - Parameter credential: The credential, or nil to remove it.
  /// - Returns: True if the credential was set or removed. False if the context is invalid, or if
  ///   the credential is the PIN of a smart card, because smart cards are not supported.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard type == .applicationPassword, shown.isValid else { return false }
    shown.remember(
      applicationPassword: credential?.withUnsafeBytes { SecretBox(SecretBytes(copying: $0)) })
    return true
  }

  /// Returns true if the context has a credential of the type.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    type == .applicationPassword && shown.knownApplicationPassword != nil
  }

  // MARK: Evaluation

  private static let queue = DispatchQueue(
    label: "atrest.local-authentication", attributes: .concurrent)

  private func evaluate(
    _ function: String, _ reason: String,
    _ reply: @escaping @Sendable (Bool, (any Error)?) -> Void,
    _ ask: @escaping @Sendable (Keychain, AuthenticationContext) throws -> Void
  ) {
    // The device is read before the queue is used, because a queue does not inherit task-local
    // values.
    let device = DefaultKeychain.taskSource ?? source
    let keychain = Result { try DefaultKeychain.get(for: self, function) }
    let context = authenticationContext(reason: reason, interaction: nil)
    Self.queue.async {
      DefaultKeychain.$taskSource.withValue(device) {
        // The user's answers may have locked or unlocked biometry.
        defer { (device?.environment ?? .shared).noticeChanges(on: device) }
        do {
          guard !reason.isEmpty else {
            throw LAError(.invalidContext, "Non-empty localizedReason must be provided.")
          }
          try self.checkValid()
          do {
            try ask(keychain.get(), context)
          } catch  where !context.isValid {
            throw LAError(.appCancel, "The context was invalidated while the user was being asked.")
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
    let reading = AuthenticationEnvironment.Reading(keychain)
    let domain = LADomainState(reading)
    let refusal = policy.refusal(by: reading)
    state.withLock {
      $0.biometryType = domain.biometry.biometryType
      $0.evaluatedPolicyDomainState = refusal == nil ? domain.biometry.stateHash : nil
    }
    if let refusal { throw refusal }
  }
}

extension LAContext: AuthenticationContextHolder {
  package func authenticationContext(
    reason: String?, interaction: AuthenticationContext.Interaction?
  ) -> AuthenticationContext {
    // This reads the properties instead of the state, because a subclass may override them.
    let own = localizedReason
    return shown.sharing(
      reason: reason ?? (own.isEmpty ? nil : own),
      interaction: interaction ?? (interactionNotAllowed ? .forbidden : .allowed),
      prompting: state.withLock { $0.prompting })
  }
}

/// The maximum of ``LAContext/touchIDAuthenticationAllowableReuseDuration``, in seconds.
public let LATouchIDAuthenticationMaximumAllowableReuseDuration: TimeInterval = 300
