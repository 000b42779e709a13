import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// Wrong authorization values count, and the TPM then refuses right ones too, for a while.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct LockoutTests {
  @Test func threeWrongValuesLockOutTheRightOne() throws {
    let device = try SoftwareTPM()
    let tpm = device.tpm()
    let (secret, open) = try tpm.perform {
      (try $0.seal(value(1), authorization: value(2)), try $0.seal(value(3)))
    }
    for wrong in 1...3 {
      let error = refusal {
        try tpm.perform { try $0.unseal(secret, authorization: value(99)) }
      }
      #expect(error?.code == .authenticationFailed)
      #expect(try tpm.perform { try $0.state() }.wrongAttempts == wrong)
    }
    let error = refusal { try tpm.perform { try $0.unseal(secret, authorization: value(2)) } }
    #expect(error?.code == .throttled)
    // swtpm forgives one attempt in 1,000 seconds.
    #expect(error?.message.contains("in 1000 seconds") == true)
    let state = try tpm.perform { try $0.state() }
    #expect(state.isLockedOut && state.secondsUntilAttempt == 1000)
    #expect(state.maximumWrongAttempts == 3)

    // Objects without an authorization value are outside the protection.
    let opened = try tpm.perform { try $0.unseal(open) }
    #expect(Data(copying: opened) == Data(copying: value(3)))

    // Control: once the count is reset, the same value is accepted.
    try device.tool("tpm2_dictionarylockout", "--clear-lockout")
    let unsealed = try tpm.perform { try $0.unseal(secret, authorization: value(2)) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
    #expect(try !tpm.perform { try $0.state() }.isLockedOut)
  }

  @Test func changedAuthorizationReplacesTheOldOne() throws {
    let device = try SoftwareTPM()
    let tpm = device.tpm()
    let object = try tpm.perform { try $0.seal(value(1), authorization: value(2)) }
    let changed = try tpm.perform {
      try $0.changeAuthorization(of: object, from: value(2), to: value(4))
    }
    let unsealed = try tpm.perform { try $0.unseal(changed, authorization: value(4)) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
    let error = refusal { try tpm.perform { try $0.unseal(changed, authorization: value(2)) } }
    #expect(error?.code == .authenticationFailed)
  }
}
