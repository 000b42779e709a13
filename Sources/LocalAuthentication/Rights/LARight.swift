import AtRestKeychain
import Foundation
import Synchronization

/// A permission that the user grants by authenticating.
///
/// ```swift
/// let right = LARight(requirement: .biometry)
/// try await right.authorize(localizedReason: "Show the account")
/// ```
///
/// A right asks the user as ``LAContext`` does. An object can be used from several threads.
open class LARight: NSObject, @unchecked Sendable {
  /// The states of a right.
  public enum State: Int, Sendable {
    /// The user has not been asked.
    case unknown = 0
    /// The user is being asked.
    case authorizing = 1
    /// The user authenticated.
    case authorized = 2
    /// The user did not authenticate, or the authorization ended.
    case notAuthorized = 3
  }

  private struct Values {
    var state = State.unknown
    var tag = 0
    var context = LAContext()

    /// Uses another context, and returns the former.
    mutating func begin(_ state: State, _ context: LAContext) -> LAContext {
      defer { (self.state, self.context) = (state, context) }
      return self.context
    }
  }
  private let values = Mutex(Values())
  let requirement: LAAuthenticationRequirement

  /// Creates a right that requires biometry or the passcode.
  public override convenience init() { self.init(requirement: .default) }

  /// Creates a right with a requirement.
  public init(requirement: LAAuthenticationRequirement) { self.requirement = requirement }

  /// The state of the right.
  open var state: State { values.withLock { $0.state } }

  /// A number for the application's own use.
  open var tag: Int {
    get { values.withLock { $0.tag } }
    set { values.withLock { $0.tag = newValue } }
  }

  /// The context with the user's authentication.
  var context: LAContext { values.withLock { $0.context } }

  /// Checks whether the user could be asked now. The user is not asked.
  ///
  /// - Throws: ``LAError``, as ``LAContext/canEvaluatePolicy(_:error:)``.
  open func checkCanAuthorize() async throws {
    var error: NSError?
    let policy: LAPolicy =
      switch requirement.requirement {
      case .biometry: .deviceOwnerAuthenticationWithBiometrics
      default: .deviceOwnerAuthentication
      }
    guard context.canEvaluatePolicy(policy, error: &error) else {
      throw error.map { LAError(_nsError: $0) } ?? LAError(.notInteractive)
    }
  }

  /// Asks the user for the required authentication.
  ///
  /// - Parameter localizedReason: The reason that the user sees, which must not be empty.
  /// - Throws: ``LAError``, with the code ``LAError/Code/appCancel`` if ``deauthorize()`` or another
  ///   call of this method ended this one.
  open func authorize(localizedReason: String) async throws {
    let context = LAContext()
    values.withLock { $0.begin(.authorizing, context) }.invalidate()
    do {
      try await prove(in: context, reason: localizedReason)
    } catch {
      try finish(context, .notAuthorized)
      throw error
    }
    try finish(context, .authorized)
  }

  /// Asks the user for the authentication, and remembers it in a context.
  func prove(in context: LAContext, reason: String) async throws {
    try await context.evaluateAccessControl(
      AccessControlObject(.controlled(control)), operation: .useItem, localizedReason: reason)
  }

  /// Sets the state after an authorization, unless the right no longer uses its context.
  private func finish(_ context: LAContext, _ state: State) throws {
    let isOwn = values.withLock { values in
      guard values.context === context else { return false }
      values.state = state
      return true
    }
    guard isOwn else {
      throw LAError(.appCancel, "The authorization was ended while the user was being asked.")
    }
  }

  /// Ends the authorization.
  open func deauthorize() async {
    values.withLock { $0.begin(.notAuthorized, LAContext()) }.invalidate()
  }

  var control: AccessControl {
    AccessControl(.whenUnlockedThisDeviceOnly, requirement.requirement)
  }
}

/// A right that ``LARightStore`` stored, with its secret.
///
/// Apple's framework also stores a key with a right. This module does not.
public final class LAPersistedRight: LARight, @unchecked Sendable {
  /// The secret that was stored with the right.
  public let secret: LASecret
  let identifier: String
  private let keychain: Keychain

  init(_ requirement: LAAuthenticationRequirement, identifier: String, keychain: Keychain) {
    (self.identifier, self.keychain) = (identifier, keychain)
    secret = LASecret(identifier, keychain)
    super.init(requirement: requirement)
    secret.right.withLock { $0.value = self }
  }

  /// Asks for the authentication that the stored secret requires. The enrolment of now is not
  /// enough for ``LAAuthenticationRequirement/biometryCurrentSet``.
  override func prove(in context: LAContext, reason: String) async throws {
    guard !reason.isEmpty else {
      throw LAError(.invalidContext, "Non-empty localizedReason must be provided.")
    }
    do {
      _ = try await keychain.secret(
        for: LARightStore.secretKey(identifier),
        context: context.authenticationContext(reason: reason, interaction: nil))
    } catch {
      throw LAError(error)
    }
  }
}

/// The secret of a right.
public final class LASecret: NSObject, Sendable {
  struct WeakRight: Sendable {
    weak var value: LAPersistedRight?
  }
  let right = Mutex(WeakRight())
  private let identifier: String
  private let keychain: Keychain

  init(_ identifier: String, _ keychain: Keychain) {
    self.identifier = identifier
    self.keychain = keychain
  }

  /// Returns the secret. The user must have authorized the right.
  ///
  /// - Throws: ``LAError/notInteractive`` if the right is not authorized; ``LAError``.
  public func loadData() async throws -> Data {
    let context = right.withLock { $0.value?.context } ?? LAContext()
    do {
      let secret = try await keychain.secret(
        for: LARightStore.secretKey(identifier),
        context: context.authenticationContext(reason: nil, interaction: .forbidden))
      return Data(copying: secret)
    } catch {
      throw LAError(error)
    }
  }
}
