import AtRestContainers
import AtRestFormats
import Foundation
import Testing

@Suite struct ContainerScanTests {
  private static let typed = "violet-kestrel-48"

  /// Returns the place of each discovery, with the kind of secret if it is not a canary.
  private func places(_ files: [String: [UInt8]]) throws -> [String] {
    let canary = try Canary(name: "typed", value: Self.typed)
    return try ContainerScan(ContainerSource(files: files), canaries: [canary]).run().discoveries
      .map { discovery in
        switch discovery.subject {
        case .canary: "\(discovery.locator)"
        case .secret(let detection): "\(discovery.locator): \(detection.kind.rawValue)"
        }
      }
  }

  /// Returns a database with one row, which has one text.
  private func cell(_ text: String) -> [String: [UInt8]] {
    var database = DatabaseFile()
    database.add(table: "t", "CREATE TABLE t (body TEXT)", rows: [[.text(text)]])
    return ["a.db": [UInt8](database.bytes)]
  }

  @Test func oneValueInTwoWritingsIsToldInTheSimpler() throws {
    let encoded = Data("{\"note\": \"\(Self.typed)\"}".utf8).base64EncodedString()
    let files = cell("{\"x\": \"\(encoded)\", \"y\": \"\(Self.typed)\"}")
    #expect(try places(files) == ["a.db › t, row 1, body › json › y"])
  }

  @Test func oneValueUnderTwoKeysIsToldTwice() throws {
    let files = cell("{\"x\": \"\(Self.typed)\", \"y\": \"\(Self.typed)\"}")
    #expect(
      try places(files) == ["a.db › t, row 1, body › json › x", "a.db › t, row 1, body › json › y"])
  }

  @Test func aSecretIsToldFromTheInside() throws {
    let files = cell(#"{"user": {"password": "Tr0ub4dor\/3x"}}"#)
    #expect(try places(files) == ["a.db › t, row 1, body › json › user.password: password"])
  }

  @Test func whatWasTypedInIsNoOtherSecretToo() throws {
    #expect(
      try places(["a.json": Array("{\"password\": \"\(Self.typed)\"}".utf8)]) == [
        "a.json › password"
      ])
  }

  @Test func aNameIsToldOnceAndWhatLiesBelowToo() throws {
    let folder = "Documents/of \(Self.typed)"
    let files = [
      "\(folder)/a.txt": Array("Nothing of note.".utf8),
      "\(folder)/b.json": Array("{\"x\": \"\(Self.typed)\"}".utf8),
      "Documents/c.zip": Packing.zip("\(Self.typed).txt", Array("Nothing of note.".utf8)),
    ]
    #expect(
      try places(files) == [
        "Documents/c.zip › \(Self.typed).txt", folder, "\(folder)/b.json › x",
      ])
  }

  @Test func aDigestIsSaidToBeOne() throws {
    let digest = "15dd07ad6d36a851d31d7201a902723c6e501c1e6e8236c36aae56e5d078cd3f"
    let canary = try Canary(name: "typed", value: Self.typed)
    let files = ["a.txt": Array("check \(digest)\nas it is: \(Self.typed)".utf8)]
    let found = try ContainerScan(ContainerSource(files: files), canaries: [canary]).run()
    #expect(found.discoveries.map(\.isDigest) == [true, false])
  }

  @Test func aTextThatBeginsLikeAnOldListIsReadByLines() throws {
    let text = "{ this is\nno list, but \(Self.typed) stands in it }\n"
    #expect(try places(["a.txt": Array(text.utf8)]) == ["a.txt › line 2"])
  }

  @Test func furtherDiscoveriesAreCounted() throws {
    let text = String(repeating: "a line with \(Self.typed)\n", count: 700)
    let canary = try Canary(name: "typed", value: Self.typed)
    let files = ["a.txt": Array(text.utf8)]
    let result = try ContainerScan(ContainerSource(files: files), canaries: [canary]).run()
    #expect(result.discoveries.count == 100)
    #expect(result.furtherDiscoveries == 600)
  }
}
