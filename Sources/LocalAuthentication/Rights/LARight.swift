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

  /// The values of a right, which it shares with its secret.
  final class Shared: Sendable {
    fileprivate let values = Mutex(Values())
    /// The context with the user's authentication.
    var context: LAContext { values.withLock { $0.context } }
  }
  fileprivate struct Values {
    var state = State.unknown
    var tag = 0
    var context = LAContext()

    /// Uses another context, and returns the former.
    mutating func begin(_ state: State, _ context: LAContext) -> LAContext {
      defer { (self.state, self.context) = (state, context) }
      return self.context
    }
  }
  let shared = Shared()
  private var context: LAContext { shared.context }
  let requirement: LAAuthenticationRequirement

  /// Creates a right that requires biometry or the passcode.
  public override convenience init() { self.init(requirement: .default) }

  /// Creates a right with a requirement.
  public init(requirement: LAAuthenticationRequirement) { self.requirement = requirement }

  /// The state of the right.
  open var state: State { shared.values.withLock { $0.state } }

  /// A number for the application's own use.
  open var tag: Int {
    get { shared.values.withLock { $0.tag } }
    set { shared.values.withLock { $0.tag = newValue } }
  }

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

  /// Checks whether the user could be asked now, and calls a closure with nil or an ``LAError``. The
  /// user is not asked.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  open func checkCanAuthorize(completion handler: @escaping @Sendable ((any Error)?) -> Void) {
    callBack(handler) { try await self.checkCanAuthorize() }
  }

  /// Asks the user for the required authentication.
  ///
  /// - Parameter localizedReason: The reason that the user sees, which must not be empty.
  /// - Throws: ``LAError``, with the code ``LAError/Code/appCancel`` if ``deauthorize()`` or another
  ///   call of this method ended this one.
  open func authorize(localizedReason: String) async throws {
    let context = LAContext()
    shared.values.withLock { $0.begin(.authorizing, context) }.invalidate()
    do {
      try await prove(in: context, reason: localizedReason)
    } catch {
      try finish(context, .notAuthorized)
      throw error
    }
    try finish(context, .authorized)
  }

  /// Asks the user for the required authentication, and calls a closure with nil or an ``LAError``.
  ///
  /// - Parameters:
  ///   - localizedReason: The reason that the user sees, which must not be empty.
  ///   - handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  open func authorize(
    localizedReason: String, completion handler: @escaping @Sendable ((any Error)?) -> Void
  ) {
    callBack(handler) { try await self.authorize(localizedReason: localizedReason) }
  }

  /// Asks the user for the authentication, and remembers it in a context.
  func prove(in context: LAContext, reason: String) async throws {
    try await context.evaluateAccessControl(
      AccessControlObject(.controlled(control)), operation: .useItem, localizedReason: reason)
  }

  /// Sets the state after an authorization, unless the right no longer uses its context.
  private func finish(_ context: LAContext, _ state: State) throws {
    let isOwn = shared.values.withLock { values in
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
    shared.values.withLock { $0.begin(.notAuthorized, LAContext()) }.invalidate()
  }

  /// Ends the authorization, and calls a closure.
  ///
  /// - Parameter handler: Called once, on a thread of the concurrency runtime.
  @preconcurrency
  open func deauthorize(completion handler: @escaping @Sendable () -> Void) {
    Task {
      await deauthorize()
      handler()
    }
  }

  var control: AccessControl {
    AccessControl(.whenUnlockedThisDeviceOnly, requirement.requirement)
  }
}
