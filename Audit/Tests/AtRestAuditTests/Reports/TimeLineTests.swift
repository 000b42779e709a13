import AtRestAudit
import AtRestContainers
import Foundation
import Testing

/// The times at which the files of a container were last changed.
@Suite struct TimeLineTests {
  /// The report of a folder with a clean file and two with a password, the second of which is older.
  private func report() throws -> AuditReport {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text, time) in [
      ("a.json", #"{"userPassword": "Tr0ub4dor&3x"}"#, 1_700_000_000.0),
      ("b.json", #"{"userPassword": "Tr0ub4dor&3y"}"#, 1_600_000_000.0),
      ("c.json", #"{"theme": "dark"}"#, 1_650_000_000.0),
    ] {
      let file = folder.appending(path: name)
      try Data(text.utf8).write(to: file)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: time)], ofItemAtPath: file.path)
    }
    return try ContainerAudit(name: "Bank", ContainerSource(folder.path)).run()
  }

  @Test func isInThePage() throws {
    let page = HTMLReport().text(of: try report(), rules: Rulebook.all)
    let part = try #require(page.components(separatedBy: "id=\"title-time-line\"").last)
    let times = part.components(separatedBy: "<time>").dropFirst().map { $0.prefix(20) }
    #expect(times == ["2020-09-13T12:26:40Z", "2023-11-14T22:13:20Z"])
    #expect(part.contains("<code>Bank/b.json</code> 1 high"))
  }

  /// A device names the app of a container in a list, and a backup in the name of the domain.
  @Test func saysWhoseFileItIs() throws {
    let list = """
      <plist version="1.0"><dict><key>MCMMetadataIdentifier</key><string>org.example.bank</string>
      </dict></plist>
      """
    let folder = "var/mobile/Containers/Data/Application/6F0E1A4C"
    let files = [
      "\(folder)/.com.apple.mobile_container_manager.metadata.plist": list,
      "\(folder)/Documents/a.json": "{}", "AppDomain-org.example.chat/Documents/b.json": "{}",
      "AppDomainGroup-group.org.example/c.json": "{}", "var/d.json": "{}",
    ]
    let source = ContainerSource(files: files.mapValues { Array($0.utf8) })
    let report = try ContainerAudit(name: "Phone", source).run()
    let owners = report.containers[0].files.map {
      [$0.path, $0.owner ?? "none"].joined(separator: " ")
    }
    #expect(
      owners.map { $0.split(separator: "/").last.map(String.init) } == [
        "b.json org.example.chat", "c.json group.org.example", "d.json none",
        ".com.apple.mobile_container_manager.metadata.plist org.example.bank",
        "a.json org.example.bank",
      ])
  }

  @Test func isInJSONForEachFile() throws {
    let text = JSONReport().text(of: try report(), rules: Rulebook.all)
    for time in ["2020-09-13T12:26:40Z", "2022-04-15T05:20:00Z", "2023-11-14T22:13:20Z"] {
      #expect(text.contains("\"\(time)\""))
    }
  }
}
