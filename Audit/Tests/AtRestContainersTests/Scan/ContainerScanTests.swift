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

  /// Every character of a name may be escaped, and a name may be Base64. It is told once.
  @Test func encodedNamesAreDecoded() throws {
    let escaped = "draft%20of%20violet%2Dkestrel%2D48"
    let encoded = Data("draft of \(Self.typed)".utf8).base64EncodedString()
    let none = Array("Nothing of note.".utf8)
    let files = [
      "Documents/\(escaped)/a.txt": none, "Documents/\(escaped)/b.txt": none,
      "Library/\(encoded)/a.txt": none, "c.zip": Packing.zip("\(escaped)/d.txt", none),
    ]
    #expect(
      try Set(places(files)) == [
        "Documents/\(escaped)", "Library/\(encoded)", "c.zip › \(escaped)",
      ])
  }

  /// Two MMKV-like changes of a log: what was typed is in a value that was replaced, and in one that is live.
  @Test func aDeletedCopyIsAPlaceOfItsOwn() throws {
    func change(_ number: UInt8, _ key: String, _ value: String) -> [UInt8] {
      let body =
        [number] + [UInt8](repeating: 0, count: 7) + [1, 0, 0, 0] + [1, UInt8(key.utf8.count)]
        + key.utf8 + [UInt8(value.utf8.count)] + value.utf8
      return LevelDBFile.record(body)
    }
    let log =
      change(1, "draft", "first: \(Self.typed)") + change(2, "draft", "nothing of note")
      + change(3, "sent", "second: \(Self.typed)")
    let canary = try Canary(name: "typed", value: Self.typed)
    let found = try ContainerScan(ContainerSource(files: ["1.log": log]), canaries: [canary]).run()
    #expect(
      found.discoveries.map { "\($0.state) \($0.locator)" }.sorted() == [
        "deleted 1.log › draft", "live 1.log › sent",
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
