import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// Anyone who has the owner hierarchy may delete a counter and make the index again. This is found
/// out.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct ReplacedCounterTests {
  private func refusalAfter(
    _ change: (SoftwareTPM, _ index: String, _ authorization: String) throws -> Void
  ) throws -> AtRestError? {
    let device = try SoftwareTPM()
    let (counter, _) = try device.tpm().perform { try $0.defineCounter(authorization: value(1)) }
    let authorization =
      "hex:"
      + Data(copying: value(1)).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
      .joined()
    try change(device, "0x" + String(counter.index, radix: 16), authorization)
    return refusal {
      try device.tpm().perform { try $0.value(of: counter, authorization: value(1)) }
    }
  }

  @Test func aCounterThatWasLeftAloneIsAccepted() throws {
    #expect(try refusalAfter { _, _, _ in } == nil)
  }

  @Test func aDeletedCounterIsFoundOut() throws {
    let error = try refusalAfter { device, index, _ in try device.tool("tpm2_nvundefine", index) }
    #expect(error?.code == .damaged)
  }

  @Test func aCounterWithAnotherAuthorizationIsFoundOut() throws {
    let error = try refusalAfter { device, index, _ in
      try device.tool("tpm2_nvundefine", index)
      try device.tool(
        "tpm2_nvdefine", index, "-p", "other", "-a", "nt=counter|authread|authwrite|no_da")
      try device.tool("tpm2_nvincrement", index, "-P", "other")
    }
    #expect(error?.code == .damaged)
  }

  /// Even with the right authorization value, an index that can go back is not accepted.
  @Test func anIndexThatIsNoCounterIsFoundOut() throws {
    let error = try refusalAfter { device, index, authorization in
      try device.tool("tpm2_nvundefine", index)
      try device.tool(
        "tpm2_nvdefine", index, "-s", "8", "-p", authorization, "-a", "authread|authwrite|no_da")
      try Data([0, 0, 0, 0, 0, 0, 0, 9]).write(to: device.file("nine"))
      try device.tool("tpm2_nvwrite", index, "-P", authorization, "-i", "nine")
    }
    #expect(error?.code == .damaged)
  }
}
