import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// Hostile input is reported with its place, and the rest of the container is walked.
@Suite struct HostileContainerTests {
  @Test func endsAtABomb() throws {
    var limits = WalkLimits.standard
    limits.decodedBytesPerFile = 8 << 20
    let files = try ["bomb.zip": WalkFixture.bytes("bomb.zip"), "z": Array("after".utf8)]
    let run = try WalkRun(ContainerSource(files: files), limits: limits)
    #expect(!run.problems(at: "bomb.zip").isEmpty)
    #expect(run.locators(of: "after") == ["z › line 1"])
    #expect(run.summary.decodedBytes < 9 << 20)
  }

  @Test func endsInTimeWithFewLongValues() throws {
    var limits = WalkLimits.standard
    limits.timePerFile = .zero
    let long = String(repeating: "a", count: 1 << 20)
    let list = "[" + Array(repeating: "\"\(long)\"", count: 8).joined(separator: ",") + "]"
    let walk = ContainerWalk(
      ContainerSource(files: ["a.json": Array(list.utf8)]), limits: limits, rawBytes: false)
    let summary = try walk.run { _ in }
    #expect(
      summary.problems.map(\.reason) == [
        "Reading took too long, so the rest of the file is skipped."
      ])
    #expect(summary.values < 8)
  }

  @Test func shortensNamesAsLongAsTheFile() throws {
    let key = String(repeating: "k", count: 1 << 20)
    let list = Array("{\"\(key)\": [\"typed\"]}".utf8)
    let run = try WalkRun(ContainerSource(files: ["a.json": list]))
    let item = try #require(run.items.first { $0.text == "typed" })
    #expect((item.name ?? "").utf8.count < 300)
    #expect(item.locator.description.utf8.count < 300)
  }

  @Test func tellsOfAMillionFindingsInOneValueInTime() throws {
    let addresses = String(repeating: "someone@example.com ", count: 50_000)
    let typed = try Canary(name: "1", value: "correct-horse-7")
    let text = Array("[\"\(addresses) correct-horse-7 \(addresses)\"]".utf8)
    let start = ContinuousClock.now
    let scan = ContainerScan(ContainerSource(files: ["a.json": text]), canaries: [typed])
    let result = try scan.run()
    #expect(result.furtherDiscoveries == 100_000 - 500)
    #expect(Set(result.discoveries.map(\.isDigest)) == [false])
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func givesTheBytesOfWhatIsTooLargeToHold() throws {
    var limits = WalkLimits.standard
    limits.heldBytes = 1 << 20
    let run = try WalkRun(
      ContainerSource(files: ["bomb.zip": WalkFixture.bytes("bomb.zip")]), limits: limits,
      hashes: true)
    let report = try #require(run.summary.files.last)
    #expect(report.locator.description == "bomb.zip › a › b")
    #expect(report.size == 80 << 20)
    #expect(report.sha256 != nil)
    #expect(run.problems(at: "bomb.zip").contains { $0.contains("raw bytes were read") })
  }

  @Test func endsInArchivesOfArchives() throws {
    let run = try WalkRun(WalkFixture.source("nested.zip"))
    #expect(
      run.problems(at: "nested.zip") == ["Formats nested deeper than 8 levels are not opened."])
  }

  @Test func saysNamesThatLeadOut() throws {
    let run = try WalkRun(WalkFixture.source("outside.zip"))
    #expect(run.locators(of: "secret-outside") == ["outside.zip › ../../outside.txt › line 1"])
    #expect(run.problems(at: "outside.zip") == ["The entry's name leads out of the archive."])
  }

  @Test func followsNoLinkAndOpensNoPipe() throws {
    let outside = try ScratchFolder()
    try outside.write("secret", Array("secret-outside".utf8))
    let folder = try ScratchFolder()
    try folder.write("a/file", Array("inside".utf8))
    let manager = FileManager.default
    try manager.createSymbolicLink(
      atPath: folder.path + "/link", withDestinationPath: outside.path + "/secret")
    try manager.createSymbolicLink(
      atPath: folder.path + "/a/up", withDestinationPath: folder.path)
    #expect(mkfifo(folder.path + "/pipe", 0o600) == 0)
    let run = try WalkRun(ContainerSource(folder.path))
    #expect(run.summary.files.map(\.locator.path) == ["a/file"])
    #expect(run.locators(of: "secret-outside") == [])
    #expect(
      run.summary.problems == [
        WalkProblem(Locator("a/up"), "The symbolic link is not followed."),
        WalkProblem(Locator("link"), "The symbolic link is not followed."),
        WalkProblem(Locator("pipe"), "This is a pipe, a socket or a device, and is not opened."),
      ])
  }

  @Test func endsAtTheLimitOfFiles() throws {
    var limits = WalkLimits.standard
    limits.files = 2
    let bytes = Array("x".utf8)
    let source = ContainerSource(files: ["a": bytes, "b": bytes, "c": bytes])
    let run = try WalkRun(source, limits: limits)
    #expect(run.summary.files.map(\.locator.path) == ["a", "b"])
    #expect(run.summary.problems.map(\.locator.path) == ["c"])
  }

  @Test func endsAtTheLimitOfValues() throws {
    var limits = WalkLimits.standard
    limits.valuesPerFile = 3
    let source = ContainerSource(files: ["a": Array("1\n2\n3\n4\n5\n".utf8)])
    let run = try WalkRun(source, limits: limits)
    #expect(run.summary.values == 3)
    #expect(run.problems(at: "a") == ["Values of the file after the first 3 are skipped."])
  }

  @Test func endsInValuesThatHoldValues() throws {
    var text = "end"
    for _ in 0..<12 { text = Data(text.utf8).base64EncodedString() }
    let run = try WalkRun(ContainerSource(files: ["a": Array("[\"\(text)\"]".utf8)]))
    #expect(run.locators(of: "end") == [])
    #expect(run.problems(at: "a") == ["Formats nested deeper than 8 levels are not opened."])
  }

  @Test func readsWhatIsLeftOfBrokenFiles() throws {
    let names = [
      "Documents/notes.sqlite", "Documents/a.zip", "Documents/b.tar.gz",
      "Library/Preferences/com.example.plist",
    ]
    var files: [String: [UInt8]] = ["z": Array("after".utf8)]
    for name in names {
      let bytes = try WalkFixture.bytes("container/" + name)
      files[name] = Array(bytes.dropLast(bytes.count / 3))
    }
    let run = try WalkRun(ContainerSource(files: files))
    #expect(run.locators(of: "after") == ["z › line 1"])
    for name in names { #expect(!run.problems(at: name).isEmpty, "\(name)") }
  }

  @Test func survivesAnyChange() throws {
    let root = try WalkFixture.path("container")
    var random = SeededGenerator(seed: 7)
    for path in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      guard let data = FileManager.default.contents(atPath: "\(root)/\(path)"), !data.isEmpty else {
        continue
      }
      for _ in 0..<150 {
        var bytes = [UInt8](data)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
          let index = Int.random(in: 0..<bytes.count, using: &random)
          bytes[index] = UInt8.random(in: 0...255, using: &random)
        }
        if Bool.random(using: &random) {
          bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
        }
        // A write-ahead log is read beside an empty database.
        let files = path.hasSuffix("-wal") ? ["a": [], "a-wal": bytes] : ["a": bytes]
        let run = try WalkRun(ContainerSource(files: files))
        #expect(run.summary.files.contains { $0.locator == Locator("a") })
      }
    }
  }
}
