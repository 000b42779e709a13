import AtRestAudit
import AtRestAuditResources
import Foundation
import Testing

@Suite struct AdvisoryDatabaseTests {
  private func advisory(
    _ id: String = "GHSA-1", ecosystem: String = "SwiftURL",
    name: String = "github.com/apple/swift-nio", events: String, versions: String = "",
    more: String = ""
  ) -> AdvisoryDatabase {
    let text = """
      {"id": "\(id)", "summary": "Too much", \(more) "affected": [{"package": {"ecosystem": \
      "\(ecosystem)", "name": "\(name)"}, "ranges": [{"type": "SEMVER", "events": [\(events)]}], \
      "versions": [\(versions)]}], "database_specific": {"severity": "HIGH", "cwe_ids": []}}
      """
    return AdvisoryDatabase(files: [("\(id).json", Data(text.utf8))])
  }

  private func pin(
    _ version: String, _ ecosystem: Dependency.Ecosystem = .swiftURL, name: String = "swift-nio",
    source: String? = "https://github.com/Apple/swift-nio.git"
  ) -> Dependency {
    let start = Position(line: 3, column: 1)
    return Dependency(
      name: name, version: version, source: source, ecosystem: ecosystem,
      location: Location(path: "Package.resolved", start: start, end: start))
  }

  @Test(arguments: [
    ("2.29.0", false), ("2.30.0", true), ("2.39.0", true), ("2.39.1", false), ("2.40.0", false),
    ("2.39.1-rc.1", true), ("v2.31", true),
  ])
  func `A range ends before what mends it`(_ version: String, _ isAffected: Bool) {
    let database = advisory(events: #"{"introduced": "2.30.0"}, {"fixed": "2.39.1"}"#)
    let matches = database.matches(for: pin(version))
    #expect(matches.isEmpty == !isAffected)
    #expect(matches.allSatisfy { $0.mendedIn == "2.39.1" })
  }

  @Test func `A range can begin at the beginning and end with its last version`() {
    let database = advisory(events: #"{"last_affected": "1.9.0"}, {"introduced": "0"}"#)
    #expect(database.matches(for: pin("0.0.1")).count == 1)
    #expect(database.matches(for: pin("1.9.0")).count == 1)
    #expect(database.matches(for: pin("1.10.0")).isEmpty)
  }

  @Test func `Versions named one by one are affected`() {
    let database = advisory(events: "", versions: #""1.0.0", "1.0.2""#)
    #expect(database.matches(for: pin("1.0.2")).count == 1)
    #expect(database.matches(for: pin("1.0.1")).isEmpty)
  }

  @Test func `Pods match by name, Carthage by its place`() {
    let pods = advisory(
      ecosystem: "CocoaPods", name: "AFNetworking", events: #"{"introduced": "0"}"#)
    #expect(
      pods.matches(for: pin("2.5.1", .cocoaPods, name: "AFNetworking", source: nil)).count == 1)
    #expect(pods.matches(for: pin("2.5.1")).isEmpty)
    let places = advisory(events: #"{"introduced": "0"}"#)
    #expect(places.matches(for: pin("1.0", .carthage)).count == 1)
  }

  @Test func `What was withdrawn does not count, and what is no advisory is said`() {
    let withdrawn = advisory(
      events: #"{"introduced": "0"}"#, more: #""withdrawn": "2024-01-01T00:00:00Z","#)
    #expect(withdrawn.matches(for: pin("1.0.0")).isEmpty)
    #expect(AdvisoryDatabase(files: [("a.json", Data("[]".utf8))]).skipped.count == 1)
  }

  @Test func `A zip is read, and a damaged one is refused`() throws {
    let data = try #require(Data(base64Encoded: Self.zip))
    let database = try AdvisoryDatabase.read(zip: data)
    #expect(database.count == 2)
    #expect(database.skipped.isEmpty)
    #expect(database.matches(for: pin("1.0.0")).map(\.advisory.id) == ["A-1", "A-2"])
    #expect(throws: FormatError.self) { try AdvisoryDatabase.read(zip: data.prefix(40)) }
    for end in stride(from: 0, to: data.count, by: 1) {
      _ = try? AdvisoryDatabase.read(zip: data.prefix(end))
      var changed = data
      changed[end] ^= 0xFF
      _ = try? AdvisoryDatabase.read(zip: changed)
    }
  }

  @Test func `An entry larger than the limit is refused`() throws {
    let archive = try ZipArchive(#require(Data(base64Encoded: Self.zip)))
    let entry = try #require(archive.entries.first)
    #expect(throws: FormatError.self) { try archive.read(entry, limit: 10) }
  }

  @Test func `A pinned version with an advisory is a finding`() {
    let resources = ResourceSamples.resources(["Package.resolved": LockFileTests.packages])
    let found = ResourceChecks().findings(
      in: resources, advisories: advisory(events: #"{"introduced": "0"}, {"fixed": "2.41.0"}"#))
    #expect(found.map(\.rule) == ["vulnerable-dependency"])
    #expect(found.first?.severity == .high)
    #expect(found.first?.location.start.line == 3)
    let clean = ResourceChecks().findings(
      in: resources, advisories: advisory(events: #"{"introduced": "0"}, {"fixed": "2.40.0"}"#))
    #expect(clean.isEmpty)
  }

  @Test(arguments: [
    ("Podfile.lock", LockFileTests.pods, "CocoaPods", "AFNetworking", "4.0.1", "4.0.2"),
    (
      "Package.resolved", LockFileTests.packages, "SwiftURL", "github.com/apple/swift-nio",
      "2.40.0", "3"
    ),
    (
      "Cartfile.resolved", LockFileTests.carthage, "SwiftURL",
      "https://github.com/Alamofire/Alamofire",
      "5.4.0", "5.4.1"
    ),
  ])
  func `Pins of every manager are judged by their versions`(
    _ path: String, _ text: String, _ ecosystem: String, _ name: String, _ version: String,
    _ next: String
  ) {
    let resources = ResourceSamples.resources([path: text])
    for (fixed, count) in [(next, 1), (version, 0)] {
      let database = advisory(
        ecosystem: ecosystem, name: name, events: #"{"introduced": "0"}, {"fixed": "\#(fixed)"}"#)
      let found = ResourceChecks().findings(in: resources, advisories: database)
      #expect(found.map(\.rule) == Array(repeating: "vulnerable-dependency", count: count))
    }
  }

  /// An archive of two advisories, one stored and one deflated.
  static let zip = """
    UEsDBBQAAAAAAAAAIVhb3S7nqgAAAKoAAAAIAAAAQS0xLmpzb257ImlkIjogIkEtMSIsICJhZmZlY3RlZCI6IFt7In
    BhY2thZ2UiOiB7ImVjb3N5c3RlbSI6ICJTd2lmdFVSTCIsICJuYW1lIjogImdpdGh1Yi5jb20vYXBwbGUvc3dpZnQt
    bmlvIn0sICJyYW5nZXMiOiBbeyJ0eXBlIjogIlNFTVZFUiIsICJldmVudHMiOiBbeyJpbnRyb2R1Y2VkIjogIjAifV
    19XX1dfVBLAwQUAAAACAAAACFYOpejGYcAAACqAAAACAAAAEEtMi5qc29uLY6xDsIwDER/pfJMKWJkY+gGS6uyIAaT
    OiGCJlHjgqqo/04d0E32vTtdAtvDoYBjuYdNAag1KSZ5XRMEVE80tB4JSPk4R6ZB6PZjNXfNSSIOByHAWH5M963yQ4
    UhvKiKApXOelhWbERnKP56eQ450tbnS91ICb3J8d+1jkffTyqvgB0st6wvUEsBAhQDFAAAAAAAAAAhWFvdLueqAAAA
    qgAAAAgAAAAAAAAAAAAAAIABAAAAAEEtMS5qc29uUEsBAhQDFAAAAAgAAAAhWDqXoxmHAAAAqgAAAAgAAAAAAAAAAA
    AAAIAB0AAAAEEtMi5qc29uUEsFBgAAAAACAAIAbAAAAH0BAAAAAA==
    """.replacingOccurrences(of: "\n", with: "")
}

@Suite struct SemanticVersionTests {
  @Test(arguments: [
    ("1.0.0", "1.0.1"), ("1.9", "1.10"), ("1.0.0-alpha", "1.0.0"), ("1.0.0-alpha", "1.0.0-alpha.1"),
    ("1.0.0-alpha.1", "1.0.0-beta"), ("1.0.0-2", "1.0.0-10"), ("1.0.0-9", "1.0.0-a"),
    ("1.2.3", "1.2.3.1"), ("99999999999999999999", "100000000000000000000"),
  ])
  func `Versions are ordered as Semantic Versioning says`(_ small: String, _ large: String) throws {
    let first = try #require(SemanticVersion(small))
    let second = try #require(SemanticVersion(large))
    #expect(first < second)
    #expect(!(second < first))
  }

  @Test func `Missing parts are zero, builds do not count, and words are no versions`() {
    #expect(SemanticVersion("v1.0") == SemanticVersion("1.0.0+7"))
    #expect(SemanticVersion("main") == nil)
    #expect(SemanticVersion("") == nil)
  }
}
