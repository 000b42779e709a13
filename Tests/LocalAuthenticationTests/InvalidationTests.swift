import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Testing

/// A context that is invalidated while its prompt is up.
@Suite struct InvalidationTests {
  /// Runs something while the user is asked, and then shows the right thing.
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
    // Control: left alone it succeeds.
    #expect(try await evaluate(LAContext()) {} == nil)
  }
}
