import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// The state names the TPM, and shows which of its protections are set.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct StateTests {
  @Test func aNewTPMHasNoAuthorizations() throws {
    let device = try SoftwareTPM()
    let state = try device.tpm().perform { try $0.state() }
    #expect(state.manufacturer == "IBM" && state.vendor == "SW   TPM")
    #expect(state.firmware.split(separator: ".").count == 4)
    #expect(!state.isLockoutAuthorizationSet && !state.isOwnerAuthorizationSet)
    #expect(!state.isLockedOut && state.wrongAttempts == 0 && state.secondsUntilAttempt == 0)
    #expect(state.secondsPerAttempt == 1000 && state.secondsOfLockoutRecovery == 1000)
  }

  @Test func setAuthorizationsAreSeen() throws {
    let device = try SoftwareTPM()
    try device.tool("tpm2_changeauth", "-c", "lockout", "secret")
    try device.tool("tpm2_changeauth", "-c", "owner", "secret")
    let state = try device.tpm().perform { try $0.state() }
    #expect(state.isLockoutAuthorizationSet && state.isOwnerAuthorizationSet)
    let error = refusal { try device.tpm().perform { try $0.seal(value(1)) } }
    #expect(error?.code == .notPermitted)
    // Another suite may name a file with another TPM's password at the same time.
    #expect(
      [
        "The administrator set a password for the TPM's owner hierarchy.",
        "The password of the TPM's owner is wrong.",
      ].contains(error?.message))
  }
}
