import AtRestContainers
import AtRestFormats
import Testing

/// The verdict on archives whose entries are encrypted.
@Suite struct EncryptedZipTests {
  /// Sets the flag of encryption in both headers of an archive with one entry.
  private static func encrypted() -> [UInt8] {
    var bytes = Packing.zip("a.txt", Array("a page of text that is long enough".utf8))
    bytes[6] |= 1
    for index in 4..<bytes.count - 10 where bytes[index..<index + 4] == [0x50, 0x4B, 1, 2] {
      bytes[index + 8] |= 1
    }
    return bytes
  }

  @Test func anArchiveWithAPasswordIsEncrypted() throws {
    let files = ["a.zip": Self.encrypted(), "b.zip": Packing.zip("a.txt", Array("a page".utf8))]
    let summary = try ContainerScan(ContainerSource(files: files)).run().summary
    let verdicts = summary.files.filter { $0.locator.steps.isEmpty }.map(\.verdict)
    #expect(verdicts == [.encrypted, .compressed])
    #expect(
      summary.problems.map(\.reason) == [
        "The zip entry is encrypted without AES, so no keys were tried on it."
      ])
    #expect(try ContentVerdict.read(ByteSource(Self.encrypted())) == .encrypted)
  }
}
