import AtRestCrypto
import AtRestKeybag
import Foundation

/// Decides whether the user has given the proofs that an access control requires, and asks for
/// missing ones.
struct AccessDecision {
  let keybag: Keybag
  let authenticator: (any Authenticator)?
  let context: AuthenticationContext
  let now: Date
  /// True to throw ``PendingPrompt`` instead of asking. Deferring avoids asking the user while the
  /// database is locked.
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
        .interactionNotAllowed, "The item requires \(what), but there is no authenticator to ask.",
        remedy: "Open the keychain with an authenticator.")
    }
    return authenticator
  }

  /// Checks a requirement, and asks the user if necessary.
  ///
  /// - Parameter enrolment: The biometric enrolment at the time when the item was saved. Compared
  ///   only if the requirement includes ``AccessControl/Biometry/currentSet``.
  func require(_ requirement: AccessControl.Requirement?, enrolment: Data?) throws {
    do {
      try decide(requirement, enrolment)
    } catch is PendingPrompt {
      throw PendingPrompt(kind: .requirement(requirement, enrolment))
    }
  }

  /// Shows the prompt that was deferred.
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
        .passcodeNotSet, "The item requires the passcode, but none is set.",
        remedy: "Set a passcode.")
    }
  }

  /// True if the last unlock by biometry was recent enough to count as a proof.
  private var countsUnlock: Bool {
    guard let unlock = authenticator?.lastBiometricUnlock, context.isValid else { return false }
    return (0...context.prompting.reuseDuration).contains(now.timeIntervalSince(unlock))
  }

  private func biometry(_ kind: AccessControl.Biometry, _ enrolment: Data?) throws {
    // Errors that need no prompt come first.
    if case .enrolled(let now)? = authenticator?.biometry {
      if kind == .currentSet && enrolment != now {
        throw AtRestError(
          .notPermitted, "The enrolled biometry changed since the item was saved.",
          remedy: "The item can no longer be read. Delete it and save it again.")
      }
      if isBiometryShown { return }
      if countsUnlock { return remember(biometry: now) }
      if authenticator?.isBiometryLockedOut == true {
        throw AtRestError(
          .biometryLockout, "The item requires biometry, which failed too often.",
          remedy: "Enter the passcode first, for example by unlocking with it.")
      }
    }
    let authenticator = try present("biometry")
    guard case .enrolled(let now) = authenticator.biometry else {
      throw AtRestError(
        .notPermitted, "The item requires biometry, but none is enrolled.",
        remedy: "Enrol biometry, or save the item under another access control.")
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
