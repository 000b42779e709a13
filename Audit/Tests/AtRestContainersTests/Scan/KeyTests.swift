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

  @Test func keysAreNoValuesOfASnapshot() throws {
    let source = ContainerSource(files: ["a.json": Array(#"{"drafts": "shown"}"#.utf8)])
    let snapshot = try ContainerSnapshot(of: source)
    #expect(snapshot.files.map { Array($0.values.keys) } == [["drafts"]])
  }
}
