import AtRestContainers
import AtRestFormats
import Foundation
import Testing

/// The walk must find each secret of the fixture at one place.
@Suite struct ContainerWalkTests {
  static let secrets: [(secret: String, locator: String)] = [
    ("secret-in-array", "Library/Preferences/com.example.plist › accounts[1].token"),
    ("secret-with-dots", "Library/Preferences/com.example.plist › \"com.example.dotted\""),
    (
      "secret-in-archive",
      "Library/Preferences/com.example.plist › archive › plist › archive › token"
    ),
    ("secret-in-attribute", "Documents/settings.xml › a.b.@id"),
    ("secret-in-text", "Documents/settings.xml › a.b[1]"),
    ("secret-in-line", "Documents/app.log › line 3"),
    ("secret-in-packed-line", "Documents/old.log.gz › gzip › line 2"),
    ("secret-in-utf-16", "Documents/wide.txt › utf-16 › line 1"),
    ("secret-without-mark", "Documents/unmarked › utf-16"),
    ("secret-in-zip", "Documents/a.zip › b/c.json › key"),
    ("secret-in-inner-zip", "Documents/a.zip › inner.zip › deep.plist › key"),
    ("secret-in-tar", "Documents/b.tar.gz › gzip › d/e.json › [0]"),
    ("secret-in-log", "Documents/notes.sqlite › ZNOTE, row 3, ZTITLE"),
    ("secret-in-cell", "Documents/notes.sqlite › ZNOTE, row 3, ZBODY › plist › k"),
    (
      "secret-in-header",
      """
      Library/Caches/com.example/Cache.db › cfurl_cache_blob_data, row 1, request_object \
      › https://example.com/a › plist › Array[0].Authorization
      """
    ),
    (
      "secret-in-answer-file",
      """
      Library/Caches/com.example/fsCachedData/0A1B2C3D-0000-4000-8000-000000000000 \
      › https://example.com/b › m
      """
    ),
  ]

  @Test(arguments: ["ééé.txt", "中\u{301}", "a"]) func opensOneFileOfAnyName(_ name: String) throws {
    let folder = try ScratchFolder()
    try folder.write("\u{301}ü/\(name)", Array("typed".utf8))
    let run = try WalkRun(ContainerSource("\(folder.path)/\u{301}ü/\(name)"))
    #expect(run.locators(of: "typed") == ["\(name) › line 1"])
  }

  @Test(arguments: secrets) func finds(_ secret: String, at locator: String) throws {
    let run = try WalkRun(WalkFixture.source("container"))
    #expect(run.locators(of: secret) == [locator])
  }

  @Test func opensTextsWithinTexts() throws {
    let run = try WalkRun(WalkFixture.source("container"))
    let preferences = "Library/Preferences/com.example.plist"
    #expect(
      run.locators(of: "secret-in-json") == [
        "\(preferences) › json", "\(preferences) › json › json › user.password",
      ])
    #expect(
      run.locators(of: "secret-in-gzip") == [
        "\(preferences) › packed › base64 › gzip › pin"
      ])
    let storage = "Library/WebKit/x.localstorage › ItemTable, row 1, value › utf-16"
    #expect(run.locators(of: "secret-in-web") == [storage, "\(storage) › json › t"])
    let cache = "Library/Caches/com.example/Cache.db › cfurl_cache_receiver_data, row 1"
    let answer = "\(cache), receiver_data › https://example.com/a"
    #expect(
      run.locators(of: "secret-in-answer\"") == [answer])
    #expect(run.locators(of: "secret-in-answer").contains("\(answer) › json › m"))
  }

  @Test func namesValuesByTheirKeys() throws {
    let run = try WalkRun(WalkFixture.source("container"))
    func name(of secret: String) -> String? {
      run.items.first { !$0.isRaw && $0.text == secret }?.name
    }
    #expect(name(of: "secret-in-array") == "token")
    #expect(name(of: "secret-in-log") == "ZTITLE")
    #expect(name(of: "secret-in-attribute") == "id")
    #expect(name(of: "{\"t\":\"secret-in-web\"}") == "session")
  }

  @Test func findsWhatWasDeleted() throws {
    let run = try WalkRun(WalkFixture.source("container"))
    let deleted = run.items.filter { item in
      guard item.state == .deleted else { return false }
      let bytes = item.bytes ?? Array((item.text ?? "").utf8)
      return String(decoding: bytes, as: UTF8.self).contains("secret-that-was-deleted")
    }
    #expect(!deleted.isEmpty)
    #expect(deleted.allSatisfy { $0.locator.description.contains("deleted, page 2") })
    #expect(run.items.filter { $0.text == "stays" }.map(\.state) == [.live])
  }

  @Test func givesEveryByte() throws {
    let bytes = (0..<3 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 9) }
    let run = try WalkRun(ContainerSource(files: ["a": bytes]))
    var seen = [UInt8?](repeating: nil, count: bytes.count)
    for item in run.items where item.isRaw {
      guard case .offset(let offset)? = item.locator.steps.last, let window = item.bytes else {
        continue
      }
      for (index, byte) in window.enumerated() { seen[offset + index] = byte }
    }
    #expect(seen == bytes)
    #expect(run.summary.rawBytes == bytes.count)
  }

  @Test func notesPictures() throws {
    let run = try WalkRun(WalkFixture.source("container"))
    let report = try #require(run.summary.files.first { $0.isSnapshot })
    #expect(report.locator.path == "Library/Caches/Snapshots/view.png")
    #expect(report.type == .png)
    #expect(report.picture?.count == report.size)
  }

  @Test func reportsEveryFile() throws {
    let run = try WalkRun(WalkFixture.source("container"), hashes: true)
    #expect(run.summary.problems == [])
    #expect(run.summary.isComplete)
    let paths = run.summary.files.map(\.locator.description)
    #expect(paths == paths.sorted())
    #expect(paths.contains("Documents/a.zip › inner.zip › deep.plist"))
    #expect(run.summary.files.allSatisfy { $0.sha256?.count == 32 })
    #expect(run.summary.values == run.items.count { !$0.isRaw && !$0.isKey })
  }

  @Test func givesAKeyInManyLinesAsOneValue() throws {
    let key = "-----BEGIN PRIVATE KEY-----\nAAAA\nBBBB\n-----END PRIVATE KEY-----"
    let filler = String(repeating: "a line of a log\n", count: 65_535)
    for text in ["first\n\(key)\nlast\n", filler + key + "\nlast"] {
      let run = try WalkRun(ContainerSource(files: ["a.txt": Array(text.utf8)]))
      let before = text.prefix { $0 != "-" }.count { $0 == "\n" }
      #expect(run.locators(of: key) == ["a.txt › line \(before + 1)"])
      #expect(run.locators(of: "last") == ["a.txt › line \(before + 5)"])
    }
    let cut = try WalkRun(ContainerSource(files: ["a.txt": Array(key.prefix(40).utf8)]))
    #expect(cut.locators(of: "AAAA") == ["a.txt › line 1"])
  }

  @Test func opensAFileAlone() throws {
    let run = try WalkRun(WalkFixture.source("container/Documents/a.zip"))
    #expect(run.locators(of: "secret-in-zip") == ["a.zip › b/c.json › key"])
  }

  @Test func leavesEvidenceAsItIs() throws {
    let folder = try WalkFixture.path("container")
    func listing() throws -> [String: Data] {
      var files: [String: Data] = [:]
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
        let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")
        let date = (attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        let contents = FileManager.default.contents(atPath: "\(folder)/\(path)") ?? Data()
        files["\(path) \(date)"] = contents
      }
      return files
    }
    let before = try listing()
    _ = try WalkRun(ContainerSource(folder))
    #expect(try listing() == before)
  }
}
