import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// What one TPM made does not open on another one, or after the TPM was cleared.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct OtherDeviceTests {
  @Test func aCopiedObjectIsOfNoUseElsewhere() throws {
    let (device, other) = (try SoftwareTPM(), try SoftwareTPM())
    let (name, object) = try device.tpm().perform {
      (try $0.primaryName(), try $0.seal(value(1)))
    }
    let pinned = refusal { try other.tpm(pinned: name).perform { try $0.unseal(object) } }
    #expect(pinned?.code == .otherDevice)
    let unpinned = refusal { try other.tpm().perform { try $0.unseal(object) } }
    #expect(unpinned?.code == .damaged)
    // Control: the TPM that made it.
    let unsealed = try device.tpm(pinned: name).perform { try $0.unseal(object) }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
  }

  @Test func aClearedTPMIsAnotherOne() throws {
    let device = try SoftwareTPM()
    let name = try device.tpm().perform { try $0.primaryName() }
    try device.tool("tpm2_clear")
    let error = refusal { try device.tpm(pinned: name).perform { try $0.primaryName() } }
    #expect(error?.code == .otherDevice)
    #expect(error?.message.contains("cleared") == true)
    #expect(error?.message.contains("passcode") == false)
  }

  @Test func aModifiedObjectIsDamaged() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    // One byte in each of the public and private areas, but none of the structure.
    for index in [object.data.count - 1, object.data.count - 60, 12] {
      var data = object.data
      data[index] ^= 0x01
      let error = refusal {
        try device.tpm().perform { try $0.unseal(try TPMObject(data)) }
      }
      #expect(error?.code == .damaged, "byte \(index)")
    }
  }

  /// The system's copy of the primary key saves its creation.
  @Test func thePersistentKeyIsUsedIfItIsThePinnedOne() throws {
    let device = try SoftwareTPM()
    let (name, object) = try device.tpm().perform {
      (try $0.primaryName(), try $0.seal(value(1)))
    }
    try device.tool(
      "tpm2_createprimary", "-C", "o", "-g", "sha256", "-G", "ecc256:aes128cfb", "-c", "p.ctx",
      "-a", "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt")
    try device.tool("tpm2_evictcontrol", "-C", "o", "-c", "p.ctx", "0x81000001")
    try device.tool("tpm2_flushcontext", "--transient-object")
    let proxy = TPMProxy(to: device)
    let unsealed = try TPM(transport: proxy.transport, primary: name).perform {
      try $0.unseal(object)
    }
    #expect(Data(copying: unsealed) == Data(copying: value(1)))
    #expect(!proxy.commands.contains(CommandCode.createPrimary))
    // Control: another key at the same handle is not used.
    try device.tool("tpm2_evictcontrol", "-C", "o", "-c", "0x81000001")
    try device.tool("tpm2_createprimary", "-C", "o", "-g", "sha256", "-G", "rsa", "-c", "r.ctx")
    try device.tool("tpm2_evictcontrol", "-C", "o", "-c", "r.ctx", "0x81000001")
    try device.tool("tpm2_flushcontext", "--transient-object")
    _ = try TPM(transport: proxy.transport, primary: name).perform { try $0.unseal(object) }
    #expect(proxy.commands.contains(CommandCode.createPrimary))
  }
}
