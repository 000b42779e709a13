import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// Tests a context that is invalidated while it shows a prompt.
@Suite struct InvalidationTests {
  /// A user who runs a closure while being asked, and then authenticates correctly.
  private struct InterruptedUser: Authenticator {
    let meanwhile: @Sendable () -> Void

    var biometry: BiometryState { .enrolled(Data([1])) }
    func passcode(for request: AuthenticationRequest) -> SecretBytes { SecretBytes(utf8: "1234") }
    func matchesBiometry(for request: AuthenticationRequest) -> Bool {
      meanwhile()
      return true
    }
    func applicationPassword(for request: AuthenticationRequest) -> SecretBytes {
      SecretBytes(utf8: "")
    }
  }

  private func evaluate(
    _ context: LAContext, _ meanwhile: @escaping @Sendable () -> Void
  ) async throws -> LAError.Code? {
    try await withUser(meanwhile) { await outcome(context) }
  }

  private func withUser<Result>(
    _ meanwhile: @escaping @Sendable () -> Void, _ body: () async throws -> Result
  ) async throws -> Result {
    let keychain = try Keychain.open(
      SimulatedDevice(passcode: "1234").keybag, in: .init(),
      identity: SimulatedDevice.application,
      authenticator: InterruptedUser(meanwhile: meanwhile))
    let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
    return try await DefaultKeychain.$taskSource.withValue(source) { try await body() }
  }

  @Test func whatIsShownCountsNoMore() async throws {
    let context = LAContext()
    #expect(try await evaluate(context) { context.invalidate() } == .appCancel)
    #expect(try await evaluate(context) {} == .invalidContext)
    // Control: without interruption, the evaluation succeeds.
    #expect(try await evaluate(LAContext()) {} == nil)
  }

  /// Waits on a thread of a prompt until a task ended.
  private static func wait(for body: @escaping @Sendable () async -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
      await body()
      done.signal()
    }
    done.wait()
  }

  @Test func aRightEndedDuringThePromptIsNotAuthorized() async throws {
    for endsIt in [true, false] {
      let right = LARight(requirement: .biometry)
      let code = try await withUser({
        if endsIt { Self.wait { await right.deauthorize() } }
      }) {
        await outcome {
          try await right.authorize(localizedReason: "Pay")
          return true
        }
      }
      #expect(code == (endsIt ? .appCancel : nil))
      #expect(right.state == (endsIt ? .notAuthorized : .authorized))
    }
  }
}
