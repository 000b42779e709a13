import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// A user who answers prompts as a test tells them to, and remembers what they were asked.
///
/// Knows the passcode, and lays the enrolled finger on, unless told otherwise.
///
/// ```swift
/// device.user.will(.fail, .fail, .comply)
/// #expect(try keychain.secret(for: card).count == 16)     // the third attempt
/// #expect(device.user.prompts == Array(repeating: .biometry(reason: "Pay"), count: 3))
/// ```
///
/// An answer is for one prompt: one finger that is laid on, one passcode that is typed. Five wrong
/// fingers in a row lock biometry out, until the right passcode is shown.
public final class ScriptedUser: Authenticator {
  /// What the user does when asked.
  public enum Answer: Sendable {
    /// The right thing.
    case comply
    /// A wrong passcode, finger or password.
    case fail
    /// Dismisses the prompt.
    case cancel
    /// Chooses to show the passcode instead of biometry. Where there is no button for it, dismisses
    /// the prompt; of other prompts, does the right thing.
    case fallBack
  }

  /// What the user was asked for.
  public enum Prompt: Hashable, Sendable {
    case passcode(reason: String)
    case biometry(reason: String)
    case applicationPassword(reason: String)
  }

  private struct State {
    var passcode: String?
    var applicationPassword: String?
    var kind: BiometryKind?
    var enrolment: UInt64?
    var failures = 0
    var unlock: Date?
    /// The last one stays.
    var answers = [Answer.comply]
    var prompts: [Prompt] = []
    var nextEnrolment: UInt64 = 1

    mutating func answer() -> Answer {
      answers.count > 1 ? answers.removeFirst() : answers[0]
    }
  }
  private let state: Mutex<State>

  init(passcode: String?, biometry: BiometryKind?) {
    state = Mutex(State(passcode: passcode, kind: biometry))
  }

  /// What was asked, in order.
  public var prompts: [Prompt] { state.withLock { $0.prompts } }

  /// Forgets what was asked so far.
  public func forgetPrompts() { state.withLock { $0.prompts = [] } }

  /// What the user does at the next prompts, one after the other; the last also from then on.
  public func will(_ answer: Answer, _ further: Answer...) {
    state.withLock { $0.answers = [answer] + further }
  }

  /// The application password that the user gives.
  public func know(applicationPassword: String) {
    state.withLock { $0.applicationPassword = applicationPassword }
  }

  var knownPasscode: String? { state.withLock { $0.passcode } }
  func learn(passcode: String?) { state.withLock { $0.passcode = passcode } }
  func enrol(_ kind: BiometryKind?) {
    state.withLock { state in
      state.kind = kind ?? state.kind ?? .touchID
      state.enrolment = state.nextEnrolment
      state.nextEnrolment += 1
      state.failures = 0
    }
  }
  func forgetBiometry() {
    state.withLock { state in
      state.enrolment = nil
      state.failures = 0
      state.unlock = nil
    }
  }
  func remember(unlock: Date) { state.withLock { $0.unlock = unlock } }
  /// What the user does at the lock screen, which is no prompt of an application's.
  func answerAtLockScreen() -> Answer { state.withLock { $0.answer() } }

  static let biometryLimit = 5

  public var biometryKind: BiometryKind? { state.withLock { $0.kind } }
  public var isBiometryLockedOut: Bool {
    state.withLock { $0.failures >= Self.biometryLimit }
  }
  public var lastBiometricUnlock: Date? { state.withLock { $0.unlock } }
  public func passcodeMatched() { state.withLock { $0.failures = 0 } }
  func biometryMatched(_ matched: Bool) {
    state.withLock { $0.failures = matched ? 0 : $0.failures + 1 }
  }

  public var biometry: BiometryState {
    guard let enrolment = state.withLock({ $0.enrolment }) else { return .unavailable }
    return .enrolled(withUnsafeBytes(of: enrolment) { Data($0) })
  }

  public func passcode(for request: AuthenticationRequest) throws -> SecretBytes {
    switch ask(.passcode(reason: request.reason)) {
    case .comply, .fallBack: SecretBytes(utf8: knownPasscode ?? "")
    case .fail: SecretBytes(utf8: "wrong \(knownPasscode ?? "")")
    case .cancel: throw dismissed
    }
  }

  public func matchesBiometry(for request: AuthenticationRequest) throws -> Bool {
    let matches: Bool
    switch ask(.biometry(reason: request.reason)) {
    case .comply: matches = true
    case .fail: matches = false
    case .cancel: throw dismissed
    case .fallBack:
      guard request.fallbackTitle != "" else { throw dismissed }
      throw AtRestError(
        .passcodePreferred, "The user would rather show the passcode.",
        remedy: "Ask for the passcode.")
    }
    biometryMatched(matches)
    return matches
  }

  public func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    let known = state.withLock { $0.applicationPassword } ?? ""
    switch ask(.applicationPassword(reason: request.reason)) {
    case .comply, .fallBack: return SecretBytes(utf8: known)
    case .fail: return SecretBytes(utf8: "wrong \(known)")
    case .cancel: throw dismissed
    }
  }

  private func ask(_ prompt: Prompt) -> Answer {
    state.withLock { state in
      state.prompts.append(prompt)
      return state.answer()
    }
  }

  private var dismissed: AtRestError {
    AtRestError(.canceled, "The prompt was dismissed.", remedy: "Ask again.")
  }
}
