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
