import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// A simulated user who answers prompts as a test specifies, and records the prompts.
///
/// By default, the user knows the passcode and presents the enrolled finger.
///
/// ```swift
/// device.user.will(.fail, .fail, .comply)
/// #expect(try keychain.secret(for: card).count == 16)     // the third attempt
/// #expect(device.user.prompts == Array(repeating: .biometry(reason: "Pay"), count: 3))
/// ```
///
/// Each answer is used for one prompt, that is, for one finger or one passcode. After five wrong
/// fingers in a row, biometry is locked until the user enters the right passcode.
public final class ScriptedUser: Authenticator {
  /// The user's answer to a prompt.
  public enum Answer: Sendable {
    /// The user authenticates correctly.
    case comply
    /// The user gives a wrong passcode, finger or password.
    case fail
    /// The user dismisses the prompt.
    case cancel
    /// The user chooses the passcode instead of biometry.
    ///
    /// If the prompt for biometry has no button for the passcode, the user dismisses the prompt. At
    /// other prompts, the user authenticates correctly.
    case fallBack
  }

  /// A prompt that the user saw.
  public enum Prompt: Hashable, Sendable {
    /// A prompt for the passcode.
    case passcode(reason: String)
    /// A prompt for a finger or face.
    case biometry(reason: String)
    /// A prompt for an application password.
    case applicationPassword(reason: String)
  }

  private struct State {
    var passcode: String?
    var applicationPassword: String?
    var kind: BiometryKind?
    var enrolment: UInt64?
    var failures = 0
    var unlock: Date?
    /// The answers to the next prompts. The last answer is repeated.
    var answers = [Answer.comply]
    var prompts: [Prompt] = []
    var nextEnrolment: UInt64 = 1

    mutating func forgetBiometry() {
      enrolment = nil
      failures = 0
      unlock = nil
    }

    mutating func answer() -> Answer {
      answers.count > 1 ? answers.removeFirst() : answers[0]
    }
  }
  private let state: Mutex<State>
  private let follower = Mutex<(@Sendable () -> Void)?>(nil)

  /// Calls a closure after each change of the passcode and of biometry.
  func follow(_ follower: @escaping @Sendable () -> Void) {
    self.follower.withLock { $0 = follower }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    follower.withLock { $0 }?()
  }

  init(passcode: String?, biometry: BiometryKind?) {
    state = Mutex(State(passcode: passcode, kind: biometry))
  }

  /// The prompts that the user saw, in order.
  public var prompts: [Prompt] { state.withLock { $0.prompts } }

  /// Empties ``prompts``.
  public func forgetPrompts() { state.withLock { $0.prompts = [] } }

  /// Sets the answers to the next prompts. The last answer is repeated for all further prompts.
  public func will(_ answer: Answer, _ further: Answer...) { will([answer] + further) }

  /// Sets the answers, of which there is at least one.
  package func will(_ answers: [Answer]) { state.withLock { $0.answers = answers } }

  /// Sets the application password that the user enters.
  public func know(applicationPassword: String) {
    state.withLock { $0.applicationPassword = applicationPassword }
  }

  var knownPasscode: String? { state.withLock { $0.passcode } }
  var knownApplicationPassword: String? { state.withLock { $0.applicationPassword } }
  func learn(passcode: String?) { change { $0.passcode = passcode } }
  /// Forgets the passcode, and every finger and face with it.
  func loseAll() {
    change { state in
      state.passcode = nil
      state.forgetBiometry()
    }
  }
  func enrol(_ kind: BiometryKind?) {
    change { state in
      state.kind = kind ?? state.kind ?? .touchID
      state.enrolment = state.nextEnrolment
      state.nextEnrolment += 1
      state.failures = 0
    }
  }
  func forgetBiometry() { change { $0.forgetBiometry() } }
  func remember(unlock: Date) { state.withLock { $0.unlock = unlock } }
  /// Returns the answer at the lock screen, which is not recorded as a prompt.
  func answerAtLockScreen() -> Answer { state.withLock { $0.answer() } }

  static let biometryLimit = 5

  public var biometryKind: BiometryKind? { state.withLock { $0.kind } }
  public var isBiometryLockedOut: Bool {
    state.withLock { $0.failures >= Self.biometryLimit }
  }
  public var lastBiometricUnlock: Date? { state.withLock { $0.unlock } }
  public func passcodeMatched() { change { $0.failures = 0 } }
  func lockOutBiometry() { change { $0.failures = Self.biometryLimit } }
  func biometryMatched(_ matched: Bool) {
    change { $0.failures = matched ? 0 : $0.failures + 1 }
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
        .passcodePreferred, "The user chose the passcode instead of biometry.",
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
