import AtRestCrypto
import AtRestKeychain
import Foundation
import Synchronization

/// A user who answers prompts as a test tells them to, and remembers what they were asked.
///
/// Knows the passcode, and lays the enrolled finger on, unless told otherwise.
public final class ScriptedUser: Authenticator {
  /// What the user does when asked.
  public enum Answer: Sendable {
    /// The right thing.
    case comply
    /// A wrong passcode, finger or password.
    case fail
    /// Dismisses the prompt.
    case cancel
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
    var enrolment: UInt64?
    var answer = Answer.comply
    var prompts: [Prompt] = []
    var nextEnrolment: UInt64 = 1
  }
  private let state: Mutex<State>

  init(passcode: String?) { state = Mutex(State(passcode: passcode)) }

  /// What was asked, in order.
  public var prompts: [Prompt] { state.withLock { $0.prompts } }

  /// What the user does from now on.
  public func will(_ answer: Answer) { state.withLock { $0.answer = answer } }

  /// The application password that the user gives.
  public func know(applicationPassword: String) {
    state.withLock { $0.applicationPassword = applicationPassword }
  }

  var knownPasscode: String? { state.withLock { $0.passcode } }
  func learn(passcode: String?) { state.withLock { $0.passcode = passcode } }
  func enrol() {
    state.withLock { state in
      state.enrolment = state.nextEnrolment
      state.nextEnrolment += 1
    }
  }
  func forgetBiometry() { state.withLock { $0.enrolment = nil } }

  public var biometry: BiometryState {
    guard let enrolment = state.withLock({ $0.enrolment }) else { return .unavailable }
    return .enrolled(withUnsafeBytes(of: enrolment) { Data($0) })
  }

  public func passcode(for request: AuthenticationRequest) throws -> SecretBytes {
    switch ask(.passcode(reason: request.reason)) {
    case .comply: SecretBytes(utf8: knownPasscode ?? "")
    case .fail: SecretBytes(utf8: "wrong \(knownPasscode ?? "")")
    case .cancel: throw dismissed
    }
  }

  public func matchesBiometry(for request: AuthenticationRequest) throws -> Bool {
    switch ask(.biometry(reason: request.reason)) {
    case .comply: true
    case .fail: false
    case .cancel: throw dismissed
    }
  }

  public func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    let known = state.withLock { $0.applicationPassword } ?? ""
    switch ask(.applicationPassword(reason: request.reason)) {
    case .comply: return SecretBytes(utf8: known)
    case .fail: return SecretBytes(utf8: "wrong \(known)")
    case .cancel: throw dismissed
    }
  }

  private func ask(_ prompt: Prompt) -> Answer {
    state.withLock { state in
      state.prompts.append(prompt)
      return state.answer
    }
  }

  private var dismissed: AtRestError {
    AtRestError(.canceled, "The prompt was dismissed.", remedy: "Ask again.")
  }
}
