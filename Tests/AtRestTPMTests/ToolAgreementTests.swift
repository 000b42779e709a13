import AtRestCrypto
import AtRestTPM
import Foundation
import Testing

/// tpm2-tools see what AtRest made as AtRest sees it.
@Suite(
  .enabled(
    if: SoftwareTPM.isInstalled && SoftwareTPM.isProgram("tpm2_readpublic"),
    "\(SoftwareTPM.reason)"))
struct ToolAgreementTests {
  private func hexadecimal(_ data: some Sequence<UInt8>) -> String {
    data.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  /// Splits an encoding into the files that tpm2_load takes.
  private func writeFiles(of object: TPMObject, to device: SoftwareTPM) throws {
    let areas = object.data.dropFirst(5)
    let count = 2 + Int(areas[areas.startIndex]) << 8 + Int(areas[areas.startIndex + 1])
    try Data(areas.prefix(count)).write(to: device.file("key.pub"))
    try Data(areas.dropFirst(count)).write(to: device.file("key.priv"))
    try device.tool(
      "tpm2_createprimary", "-C", "o", "-g", "sha256", "-G", "ecc256:aes128cfb", "-c", "p.ctx",
      "-a", "fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|restricted|decrypt")
    try device.tool("tpm2_flushcontext", "--transient-object")
  }

  @Test func theyReadOurKey() throws {
    let device = try SoftwareTPM()
    let (primary, key) = try device.tpm().perform { (try $0.primaryName(), try $0.createKey()) }
    try writeFiles(of: key.object, to: device)
    let parent = try device.tool("tpm2_readpublic", "-c", "p.ctx")
    #expect(parent.contains(hexadecimal(primary.data)))
    try device.tool("tpm2_flushcontext", "--transient-object")
    try device.tool("tpm2_load", "-C", "p.ctx", "-u", "key.pub", "-r", "key.priv", "-c", "key.ctx")
    try device.tool("tpm2_flushcontext", "--transient-object")
    let text = try device.tool("tpm2_readpublic", "-c", "key.ctx")
    #expect(text.contains("x: " + hexadecimal(key.publicKey.dropFirst().prefix(32))))
    #expect(text.contains("y: " + hexadecimal(key.publicKey.suffix(32))))
    #expect(text.contains(hexadecimal(key.object.name.data)))
    #expect(
      text.contains("fixedtpm|fixedparent|sensitivedataorigin|userwithauth|noda|decrypt|sign"))
  }

  @Test func theyUnsealOurSecret() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    try writeFiles(of: object, to: device)
    try device.tool("tpm2_load", "-C", "p.ctx", "-u", "key.pub", "-r", "key.priv", "-c", "key.ctx")
    try device.tool("tpm2_flushcontext", "--transient-object")
    try device.tool("tpm2_unseal", "-c", "key.ctx", "-o", "secret")
    #expect(try Data(contentsOf: device.file("secret")) == Data(copying: value(1)))
  }

  @Test func theyReadOurCounter() throws {
    let device = try SoftwareTPM()
    let (counter, count) = try device.tpm().perform { connection in
      let (counter, _) = try connection.defineCounter(authorization: value(1))
      return (counter, try connection.increment(counter, authorization: value(1)))
    }
    let index = "0x" + String(counter.index, radix: 16)
    try device.tool(
      "tpm2_nvread", index, "-P", "hex:" + hexadecimal(Data(copying: value(1))), "-o", "value")
    let read = try Data(contentsOf: device.file("value")).reduce(0) { $0 << 8 | UInt64($1) }
    #expect(read == count)
    let text = try device.tool("tpm2_nvreadpublic", index)
    #expect(text.contains(hexadecimal(counter.name.data)))
  }
}
