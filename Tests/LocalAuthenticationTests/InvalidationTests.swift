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
    let keychain = try Keychain.open(
      SimulatedDevice(passcode: "1234").keybag, in: .init(),
      identity: SimulatedDevice.application,
      authenticator: InterruptedUser(meanwhile: meanwhile))
    let source = DefaultKeychain.Source(keychain: { keychain }, record: { _ in })
    return await DefaultKeychain.$taskSource.withValue(source) { await outcome(context) }
  }

  @Test func whatIsShownCountsNoMore() async throws {
    let context = LAContext()
    #expect(try await evaluate(context) { context.invalidate() } == .appCancel)
    #expect(try await evaluate(context) {} == .invalidContext)
    // Control: without interruption, the evaluation succeeds.
    #expect(try await evaluate(LAContext()) {} == nil)
  }
}
