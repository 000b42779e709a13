import AtRestContainers
import AtRestFormats
import Foundation
import Testing

@Suite struct ContainerSnapshotTests {
  private static func list(_ text: String) -> [UInt8] {
    Array("<plist><dict>\(text)</dict></plist>".utf8)
  }

  private let old = ContainerSource(files: [
    "a.plist": list("<key>kept</key><string>x</string><key>changed</key><string>1</string>"),
    "gone": Array("text".utf8),
  ])
  private let new = ContainerSource(files: [
    "a.plist": list(
      """
      <key>kept</key><string>x</string><key>changed</key><string>2</string>\
      <key>token</key><string>secret</string>
      """),
    "b.json": Array("{\"k\": 1}".utf8),
  ])

  @Test func tellsWhichKeysAreNew() throws {
    let before = try ContainerSnapshot(of: old)
    let after = try ContainerSnapshot(of: new, comparableTo: before)
    let diff = ContainerDiff(from: before, to: after)
    #expect(diff.comparesValues)
    #expect(diff.files.map(\.path) == ["a.plist", "b.json", "gone"])
    #expect(diff.files.map(\.kind) == [.changed, .added, .removed])
    #expect(diff.files[0].addedValues == ["token"])
    #expect(diff.files[0].changedValues == ["changed"])
    #expect(diff.files[0].removedValues == [])
    #expect(diff.files[1].addedValues == ["k"])
  }

  @Test func findsNoChangeInTheSame() throws {
    let source = try WalkFixture.source("container")
    let before = try ContainerSnapshot(of: source)
    let after = try ContainerSnapshot(of: source, comparableTo: before)
    #expect(ContainerDiff(from: before, to: after).files == [])
    #expect(before == after)
  }

  @Test func comparesNoValuesOfStrangers() throws {
    let diff = try ContainerDiff(from: ContainerSnapshot(of: old), to: ContainerSnapshot(of: old))
    #expect(!diff.comparesValues)
    #expect(diff.files == [])
  }

  /// Installed, used and logged out.
  @Test func tellsWhatSurvives() throws {
    let installed = try ContainerSnapshot(
      of: ContainerSource(files: ["a.plist": Self.list("<key>theme</key><string>dark</string>")]))
    let login = """
      <key>theme</key><string>dark</string><key>token</key><string>abc</string>\
      <key>last</key><string>zoe</string><key>count</key><string>2</string>
      """
    let noise: [UInt8] = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ 201) }
    func store(_ values: [(String, String)]) -> [UInt8] {
      values.enumerated().flatMap { number, pair in
        LevelDBFile.record(
          [UInt8(number + 1)] + [UInt8](repeating: 0, count: 7) + [1, 0, 0, 0, 1]
            + [UInt8(pair.0.utf8.count)] + pair.0.utf8 + [UInt8(pair.1.utf8.count)] + pair.1.utf8)
      }
    }
    let used = try ContainerSnapshot(
      of: ContainerSource(files: [
        "a.plist": Self.list(login), "key.bin": noise, "1.log": store([("note", "remember")]),
        "b.json": Array("{\"k\": 1}".utf8),
      ]), comparableTo: installed)
    let end = try ContainerSnapshot(
      of: ContainerSource(files: [
        "a.plist": Self.list(
          """
          <key>theme</key><string>dark</string><key>last</key><string>zoe</string>\
          <key>count</key><string>3</string>
          """),
        "key.bin": noise, "1.log": store([("note", "remember"), ("note", "nothing")]),
      ]), comparableTo: installed)
    let survival = try #require(ContainerSurvival(before: installed, after: used, at: end))
    #expect(survival.files.map(\.path) == ["1.log", "a.plist", "key.bin"])
    #expect(survival.files.map(\.kept) == [[], ["last"], survival.files[2].kept])
    #expect(survival.files.map(\.deleted.count) == [1, 0, 0])
    #expect(survival.files.map(\.isSame) == [false, false, true])
    // The token, the number and the file that is gone.
    #expect(survival.gone == 3)
    let stranger = try ContainerSnapshot(of: new)
    #expect(ContainerSurvival(before: installed, after: stranger, at: end) == nil)
  }

  @Test func keepsNoValueOnTheDisk() throws {
    let folder = try ScratchFolder()
    let path = folder.path + "/before.json"
    let snapshot = try ContainerSnapshot(of: WalkFixture.source("container"))
    try snapshot.write(to: path)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(!text.contains("secret"))
    #expect(!text.contains("https://"))
    #expect(try ContainerSnapshot(contentsOf: path) == snapshot)
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["before.json"])
  }

  @Test func refusesWhatIsNoSnapshot() throws {
    let folder = try ScratchFolder()
    try folder.write("a.json", Array("{\"version\": 1}".utf8))
    #expect(throws: FormatError.self) { try ContainerSnapshot(contentsOf: folder.path + "/a.json") }
    #expect(throws: FormatError.self) { try ContainerSnapshot(contentsOf: folder.path + "/b.json") }
  }
}
