import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// Asks the user: for the passcode, a finger or face, or an application password.
///
/// Methods may block for as long as the user takes. The asynchronous calls of ``Keychain`` run them
/// off the caller's actor; the synchronous ones on the caller's thread.
///
/// - Throws: from each method, ``AtRestError/Code/canceled`` if the user dismisses the prompt;
///   from that for biometry, ``AtRestError/Code/passcodePreferred`` if they would rather show the
///   passcode.
public protocol Authenticator: Sendable {
  /// What biometry there is, and who is enrolled.
  var biometry: BiometryState { get }
  /// Asks for the device passcode. The keychain checks it.
  func passcode(for request: AuthenticationRequest) throws -> SecretBytes
  /// Asks for a finger or face, and says whether it matched.
  func matchesBiometry(for request: AuthenticationRequest) throws -> Bool
  /// Asks for the item's application password. The keychain checks it.
  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes

  /// The reader for biometry, nil if there is none. By default there is ``BiometryKind/touchID``
  /// where somebody is enrolled.
  var biometryKind: BiometryKind? { get }
  /// True if biometry failed so often that the passcode has to be shown first. By default never.
  var isBiometryLockedOut: Bool { get }
  /// When the device was last unlocked by biometry, where that is known. By default it is not.
  var lastBiometricUnlock: Date? { get }
  /// Called when the user showed the right passcode, which ends a lockout.
  func passcodeMatched()
}

extension Authenticator {
  public var biometryKind: BiometryKind? { biometry == .unavailable ? nil : .touchID }
  public var isBiometryLockedOut: Bool { false }
  public var lastBiometricUnlock: Date? { nil }
  public func passcodeMatched() {}
}

/// What biometry a device has.
public enum BiometryState: Hashable, Sendable {
  /// None, or nobody enrolled.
  case unavailable
  /// Somebody is enrolled; the bytes change whenever the enrolment does.
  case enrolled(Data)
}

/// What reads biometry.
public enum BiometryKind: Sendable, CaseIterable {
  /// A finger.
  case touchID
  /// A face.
  case faceID
  /// An iris.
  case opticID
}

/// What a user is asked for, and why.
public struct AuthenticationRequest: Hashable, Sendable {
  /// The reason to show.
  public let reason: String
  /// What the button that dismisses the prompt says; nil: what it always does.
  public let cancelTitle: String?
  /// What the button for the passcode says; nil: what it always does, empty: there is none.
  public let fallbackTitle: String?
}

/// Decides whether an access control is met, and asks where it is not yet.
struct AccessDecision {
  let keybag: Keybag
  let authenticator: (any Authenticator)?
  let context: AuthenticationContext
  let now: Date
  /// True if to throw ``PendingPrompt`` instead of asking, so that nobody is asked while the
  /// database is held.
  var defersPrompts = false

  private var request: AuthenticationRequest {
    AuthenticationRequest(
      reason: context.reason, cancelTitle: context.prompting.cancelTitle,
      fallbackTitle: context.prompting.fallbackTitle)
  }

  private func present(_ what: String) throws -> any Authenticator {
    try context.mayAsk(for: what)
    guard !defersPrompts else { throw PendingPrompt(kind: .applicationPassword) }
    guard let authenticator else {
      throw AtRestError(
        .interactionNotAllowed, "The item asks for \(what), and there is nobody to ask.",
        remedy: "Open the keychain with an authenticator.")
    }
    return authenticator
  }

  /// - Parameter enrolment: Who was enrolled when the item was saved, where that counts.
  func require(_ requirement: AccessControl.Requirement?, enrolment: Data?) throws {
    do {
      try decide(requirement, enrolment)
    } catch is PendingPrompt {
      throw PendingPrompt(kind: .requirement(requirement, enrolment))
    }
  }

  /// Asks what could not be asked before.
  func settle(_ prompt: PendingPrompt) throws {
    switch prompt.kind {
    case .applicationPassword: _ = try applicationPassword()
    case .requirement(let requirement, let enrolment):
      try decide(requirement, enrolment)
    }
  }

  private func decide(_ requirement: AccessControl.Requirement?, _ enrolment: Data?) throws {
    switch requirement {
    case nil: return
    case .userPresence:
      if isPasscodeShown || isBiometryShown { return }
      try either(.any, enrolment)
    case .devicePasscode: try passcode()
    case .biometry(let kind): try biometry(kind, enrolment)
    case .devicePasscodeOr(let kind):
      if isPasscodeShown { return }
      try either(kind, enrolment)
    case .devicePasscodeAnd(let kind):
      try checkPasscodeSet()
      try biometry(kind, enrolment)
      try passcode()
    }
  }

  private func either(_ kind: AccessControl.Biometry, _ enrolment: Data?) throws {
    do {
      try biometry(kind, enrolment)
    } catch let error as AtRestError where Self.leavesThePasscode.contains(error.code) {
      try passcode()
    }
  }

  private static let leavesThePasscode: Set<AtRestError.Code> = [
    .notPermitted, .authenticationFailed, .passcodePreferred, .biometryLockout,
  ]

  private var isPasscodeShown: Bool {
    keybag.hasPasscode && context.isPasscodeShown(to: keybag.store.bytes)
  }

  private var isBiometryShown: Bool {
    guard case .enrolled(let now)? = authenticator?.biometry else { return false }
    return context.shownBiometry(to: keybag.store.bytes) == now
  }

  private func passcode() throws {
    if isPasscodeShown { return }
    try checkPasscodeSet()
    let authenticator = try present("the passcode")
    try keybag.verify(passcode: authenticator.passcode(for: request))
    context.rememberPasscode(of: keybag.store.bytes)
    authenticator.passcodeMatched()
  }

  private func checkPasscodeSet() throws {
    guard keybag.hasPasscode else {
      throw AtRestError(
        .passcodeNotSet, "The item asks for the passcode, and none is set.",
        remedy: "Set a passcode.")
    }
  }

  /// True if an unlock by biometry was so short a time ago that it counts.
  private var countsUnlock: Bool {
    guard let unlock = authenticator?.lastBiometricUnlock, context.isValid else { return false }
    return (0...context.prompting.reuseDuration).contains(now.timeIntervalSince(unlock))
  }

  private func biometry(_ kind: AccessControl.Biometry, _ enrolment: Data?) throws {
    // What can be said without asking comes first.
    if case .enrolled(let now)? = authenticator?.biometry {
      if kind == .currentSet && enrolment != now {
        throw AtRestError(
          .notPermitted, "The enrolled biometry changed since the item was saved.",
          remedy: "The item stays closed for good: delete it, and save it anew.")
      }
      if isBiometryShown { return }
      if countsUnlock { return remember(biometry: now) }
      if authenticator?.isBiometryLockedOut == true {
        throw AtRestError(
          .biometryLockout, "The item asks for biometry, which failed too often.",
          remedy: "Show the passcode first, such as by unlocking with it.")
      }
    }
    let authenticator = try present("biometry")
    guard case .enrolled(let now) = authenticator.biometry else {
      throw AtRestError(
        .notPermitted, "The item asks for biometry, and none is enrolled.",
        remedy: "Enrol it, or save the item under another access control.")
    }
    guard try authenticator.matchesBiometry(for: request) else {
      throw AtRestError(
        .authenticationFailed, "The biometry did not match.", remedy: "Try again.")
    }
    remember(biometry: now)
  }

  private func remember(biometry: Data) {
    context.remember(biometry: biometry, of: keybag.store.bytes)
  }

  func applicationPassword() throws -> SecretBox {
    if let known = context.knownApplicationPassword { return known }
    let password = SecretBox(
      try present("the application password").applicationPassword(for: request))
    context.remember(applicationPassword: password)
    return password
  }
}

/// Says that the user has to be asked, once the database is let go of.
struct PendingPrompt: Error {
  enum Kind {
    case requirement(AccessControl.Requirement?, Data?)
    case applicationPassword
  }
  let kind: Kind
}
