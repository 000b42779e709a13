import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Canaries and secrets that are keys of dictionaries.
@Suite struct KeyTests {
  private static let typed = "violet-kestrel-48"

  private func found(_ path: String, _ bytes: [UInt8]) throws -> [String] {
    let canary = try Canary(name: "typed", value: Self.typed)
    let scan = ContainerScan(ContainerSource(files: [path: bytes]), canaries: [canary])
    return try scan.run().discoveries.map { "\($0.locator)" }
  }

  private static let dictionary = BinaryList.dictionary([
    ("drafts", .dictionary([(typed, .string("shown"))]))
  ])

  @Test func aKeyOfAPropertyListHasItsPath() throws {
    #expect(
      try found("a.plist", Array(Self.dictionary.encoded)) == [
        "a.plist › drafts.\(Self.typed) › key"
      ]
    )
  }

  @Test func aKeyOfJSONHasItsPath() throws {
    let text = "{\"drafts\": [{\"\(Self.typed)\": 3}]}"
    #expect(
      try found("a.json", Array(text.utf8)) == ["a.json › drafts[0].\(Self.typed) › key"])
  }

  @Test func aKeyOfAnArchiveHasItsPath() throws {
    let archive = BinaryList.archive(
      .dictionary([
        ("NS.keys", .array([.uid(2)])), ("NS.objects", .array([.uid(3)])), ("$class", .uid(4)),
      ]),
      others: [
        .string(Self.typed), .string("shown"),
        .dictionary([
          ("$classname", .string("NSDictionary")),
          ("$classes", .array([.string("NSDictionary"), .string("NSObject")])),
        ]),
      ])
    #expect(try found("a.bin", Array(archive.encoded)) == ["a.bin › archive › \(Self.typed) › key"])
  }

  @Test func anAddressAsAKeyIsASecret() throws {
    #expect(
      try found("a.json", Array(#"{"drafts": {"jo.doe@mail.example": 3}}"#.utf8))
        == [#"a.json › drafts."jo.doe@mail.example" › key"#])
  }

  /// The name of a table in a database of LMDB, which the fixture calls `notes`.
  @Test func theNameOfATableHasItsPlace() throws {
    let name = "zkvqj"
    let bytes = try StoreFixture.file("lmdb/data.mdb")
    var parts = bytes.split(separator: Array("notes".utf8), omittingEmptySubsequences: false)
    let first = Array(parts.removeFirst())
    let renamed = parts.reduce(into: first) { $0 += Array(name.utf8) + $1 }
    let scan = ContainerScan(
      ContainerSource(files: ["a.mdb": renamed]), canaries: [try Canary(name: "1", value: name)])
    let result = try scan.run()
    #expect(result.discoveries.map { "\($0.locator)" }.first == "a.mdb › \(name) › key")
  }

  @Test func keysAreNoValuesOfASnapshot() throws {
    let source = ContainerSource(files: ["a.json": Array(#"{"drafts": "shown"}"#.utf8)])
    let snapshot = try ContainerSnapshot(of: source)
    #expect(snapshot.files.map { Array($0.values.keys) } == [["drafts"]])
  }
}
