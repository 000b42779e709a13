import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// An object with a policy opens only while the registers have the values of its creation.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct PolicyTests {
  private static let change =
    "16:sha256=0000000000000000000000000000000000000000000000000000000000000001"

  @Test func aChangedRegisterIsRefused() throws {
    let device = try SoftwareTPM()
    let policy = try TPMPolicy(pcrs: [16, 7])
    let (tied, free) = try device.tpm().perform {
      (try $0.seal(value(1), policy: policy), try $0.seal(value(1), policy: TPMPolicy(pcrs: [7])))
    }
    let stored = try TPMObject(tied.data)
    #expect(stored.policy?.pcrs == [7, 16])
    let unsealed = try device.tpm().perform { try $0.unseal(stored) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))

    try device.tool("tpm2_pcrextend", Self.change)
    let error = refusal { try device.tpm().perform { try $0.unseal(stored) } }
    #expect(error?.code == .notPermitted)
    #expect(error?.message.contains("PCR 7, 16") == true)
    // Control: an object that is tied to other registers.
    _ = try device.tpm().perform { try $0.unseal(free) }
  }

  @Test func theAuthorizationValueIsNeededToo() throws {
    let device = try SoftwareTPM()
    let policy = try TPMPolicy(pcrs: [16])
    let object = try device.tpm().perform {
      try $0.seal(value(1), authorization: value(2), policy: policy)
    }
    let unsealed = try device.tpm().perform { try $0.unseal(object, authorization: value(2)) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
    let wrong = refusal {
      try device.tpm().perform { try $0.unseal(object, authorization: value(3)) }
    }
    #expect(wrong?.code == .authenticationFailed)
    #expect(try device.tpm().perform { try $0.state() }.wrongAttempts == 1)
    let changed = try device.tpm().perform {
      try $0.changeAuthorization(of: object, from: value(2), to: value(4))
    }
    _ = try device.tpm().perform { try $0.unseal(changed, authorization: value(4)) }

    try device.tool("tpm2_pcrextend", Self.change)
    let error = refusal {
      try device.tpm().perform { try $0.unseal(object, authorization: value(2)) }
    }
    #expect(error?.code == .notPermitted)
  }

  /// The list of registers is stored beside the object. The TPM has it in the policy's digest.
  @Test func anotherListOfRegistersIsRefused() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform {
      try $0.seal(value(1), policy: try TPMPolicy(pcrs: [16]))
    }
    var data = object.data
    data[2] = 0
    data[4] = 0x80
    let edited = try TPMObject(data)
    #expect(edited.policy?.pcrs == [7])
    let error = refusal { try device.tpm().perform { try $0.unseal(edited) } }
    #expect(error?.code == .notPermitted)
    data[4] = 0
    let without = refusal {
      try device.tpm().perform { try $0.unseal(try TPMObject(data)) }
    }
    #expect(without != nil)
  }

  @Test func registersThatDoNotExistAreRefused() {
    for pcrs in [[], [24], [-1]] {
      #expect(refusal { try TPMPolicy(pcrs: pcrs) }?.code == .invalidArgument)
    }
  }
}
