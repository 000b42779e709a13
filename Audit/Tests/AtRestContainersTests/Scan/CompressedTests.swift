import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Canaries in compressed files, cells and strings.
@Suite struct CompressedTests {
  private func found(_ path: String, _ bytes: [UInt8]) throws -> [String] {
    let canary = try Canary(name: "typed", value: "violet-kestrel-48")
    let scan = ContainerScan(ContainerSource(files: [path: bytes]), canaries: [canary])
    return try scan.run().discoveries.map { found in
      guard case .canary(_, let encodings) = found.subject else { return "\(found.locator)" }
      return ([found.locator.description] + encodings).joined(separator: " › ")
    }
  }

  private static let samples = [
    "bzip2": """
    QlpoOTFBWSZTWYYRSTAAABNZgAAQQAYEQCfv3cAgAEhqn6miDyNTTT1DQiZMgAADfwT2jE21DGryp0bPZ4Brcq6HjDShedEC\
    09ug+teBhuAkPCBEilDL3iXJyxMQP4u5IpwoSEMIpJgA
    """,
    "zstd": """
    KLUv/QRoHQIA4sQOEKDtxMHHd2pSxP/+OheqckbgynF/il/33viajSsOV3bKZAi28XKX+LKnptMVdQGLCvSm+zyvU8yXUZ0B\
    AEgoY81GHc0=
    """,
    "deflate": """
    HcjBDYAgEATAP1VsAfLzYTskLnIRwRwbtXyNr0kmmw+hWiN6hgpxpo0h/eA2FVzWKxV3DjlrnBdYg2lCaiuO7oT4CCmL/n14\
    AQ==
    """,
    "brotli": """
    G1IAYIzDOBbcdW9WIp2cX+ggt1BPtdqqxglLswMOOWDuWVsggXqeslBFY6LZw43y2hTZIL+HuW7Kr/T9uhSwXoKxp1U4kogA
    """,
  ]

  private static func bytes(_ format: String) throws -> [UInt8] {
    Array(try #require(Data(base64Encoded: samples[format] ?? "")))
  }

  @Test(arguments: samples.keys.sorted()) func aFileIsUnpacked(_ format: String) throws {
    let places = try found("a.bin", Self.bytes(format))
    let isHeadless = format == "deflate" || format == "brotli"
    #expect(places == ["a.bin › \(format)" + (isHeadless ? "" : " › line 2")])
  }

  @Test(arguments: samples.keys.sorted()) func aCellIsUnpacked(_ format: String) throws {
    var database = DatabaseFile()
    database.add(
      table: "t", "CREATE TABLE t (body BLOB)", rows: [[.blob(Data(try Self.bytes(format)))]])
    let places = try found("a.db", Array(database.bytes))
    #expect(places.count == 1)
    #expect(places.allSatisfy { $0.hasPrefix("a.db › t, row 1, body › \(format)") }, "\(places)")
  }

  @Test(arguments: samples.keys.sorted()) func aPartOfAStringIsUnpacked(_ format: String) throws {
    let base64 = Data(try Self.bytes(format)).base64EncodedString()
    let places = try found("a.log", Array("first\nsent \(base64)\n".utf8))
    #expect(places == ["a.log › line 2 › base64 › \(format)"])
  }

  /// Apple's reference encoder wrote the file.
  @Test func lzfseInAStringIsUnpacked() throws {
    let url = try #require(
      Bundle.module.url(forResource: "Fixtures/Tools/typed/page", withExtension: "lzfse"))
    let base64 = try Data(contentsOf: url).base64EncodedString()
    let canary = try Canary(name: "typed", value: CanaryContainer.value(67))
    let scan = ContainerScan(
      ContainerSource(files: ["a.log": Array("first\nsent \(base64)\n".utf8)]), canaries: [canary])
    let found = try scan.run().discoveries
    #expect(found.map { "\($0.locator)" } == ["a.log › line 2"])
    #expect(found.first?.subject == .canary(canary, encodings: ["base64", "lzfse"]))
  }
}
