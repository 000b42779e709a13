import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// A TPM unseals what it sealed, with and without an authorization value.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct SealTests {
  @Test func aSecretComesBack() throws {
    let device = try SoftwareTPM()
    for count in [1, 32, 128] {
      let secret = SecretBytes.random(count: count)
      let object = try device.tpm().perform { try $0.seal(secret) }
      let stored = try TPMObject(object.data)
      #expect(stored == object)
      let unsealed = try device.tpm().perform { try $0.unseal(stored) }
      #expect(Data(copying: unsealed) == Data(copying: secret))
    }
  }

  @Test func aSecretWithAuthorizationNeedsIt() throws {
    let device = try SoftwareTPM()
    let secret = SecretBytes.random(count: 32)
    // The TPM removes zeros at the end of an authorization value.
    let zeros = SecretBytes(Data([1]) + Data(count: 31))
    for authorization in [SecretBox(value(1)), SecretBox(zeros)] {
      let object = try device.tpm().perform {
        try $0.seal(secret, authorization: authorization.bytes.duplicate())
      }
      let unsealed = try device.tpm().perform {
        try $0.unseal(object, authorization: authorization.bytes.duplicate())
      }
      #expect(Data(copying: unsealed) == Data(copying: secret))
      let without = refusal { try device.tpm().perform { try $0.unseal(object) } }
      #expect(without?.code == .authenticationFailed)
    }
  }

  @Test func sizesOutsideTheLimitsAreRefused() throws {
    let device = try SoftwareTPM()
    for count in [0, 129] {
      let error = refusal {
        try device.tpm().perform { try $0.seal(SecretBytes.random(count: count)) }
      }
      #expect(error?.code == .invalidArgument)
    }
    let error = refusal {
      try device.tpm().perform {
        try $0.seal(SecretBytes.random(count: 32), authorization: SecretBytes(utf8: "short"))
      }
    }
    #expect(error?.code == .invalidArgument)
  }

  /// swtpm keeps three objects and three sessions at most, so a leak would soon be noticed.
  @Test func nothingStaysInTheTPM() throws {
    let device = try SoftwareTPM()
    let tpm = device.tpm()
    let object = try tpm.perform { try $0.seal(value(1), authorization: value(2)) }
    for _ in 0..<2 {
      _ = refusal { try tpm.perform { try $0.unseal(object, authorization: value(3)) } }
      _ = try tpm.perform { try $0.unseal(object, authorization: value(2)) }
    }
    #expect(try device.tool("tpm2_getcap", "handles-transient") == "")
    #expect(try device.tool("tpm2_getcap", "handles-loaded-session") == "")
  }
}
