import AtRestAudit
import AtRestContainers
import AtRestFormats
import Crypto
import Foundation
import Testing

/// The findings of keys that open a database of the container, and the words for one that stays closed.
@Suite struct VoidEncryptionFindingTests {
  private static let key = Array(SHA256.hash(data: Data("AtRest raw-3".utf8)))
  private static let digits = key.map { String(format: "%02x", $0) }.joined()
  private static let base64 = Data(key).base64EncodedString().replacing("+", with: "-")
    .replacing("/", with: "_")
  private static let database = "Documents/bank.db"

  private func report(
    _ settings: String?, keychain: [KeychainItem] = [], database: String = Self.database,
    _ more: [String: String] = [:]
  ) throws -> AuditReport {
    let folder = try #require(
      Bundle.module.url(forResource: "Fixtures/SQLCipher", withExtension: nil))
    var files = [database: [UInt8](try Data(contentsOf: folder.appending(path: "raw-3.db")))]
    if let settings { files["Documents/settings.json"] = Array(settings.utf8) }
    for (path, text) in more { files[path] = Array(text.utf8) }
    var audit = ContainerAudit(name: "Bank", ContainerSource(files: files))
    audit.keychain = keychain
    return try audit.run()
  }

  @Test func aKeyInAFileIsHigh() throws {
    let report = try report(#"{"k": "\#(Self.digits)"}"#)
    let finding = try #require(report.findings.first { $0.message.contains(Self.database) })
    #expect(finding.severity == .high && finding.rule == "container-key")
    #expect(finding.location.path == "Bank/Documents/settings.json")
    #expect(finding.exhibit?.locator == ["k"])
    #expect(
      finding.message
        == "The key of the encrypted database Documents/bank.db (SQLCipher 2 or 3) is stored in the clear, "
        + "under “k”. It opens the database, which was searched.")
  }

  @Test(arguments: [
    ("sha256-256.enc", "file", "OpenSSL"), ("aes-256.zip", "archive", "AES"),
  ]) func aPassphraseOfAFileIsHigh(_ name: String, _ kind: String, _ format: String) throws {
    let folder = try #require(
      Bundle.module.url(forResource: "Fixtures/Encrypted", withExtension: nil))
    let files = [
      "Documents/\(name)": [UInt8](try Data(contentsOf: folder.appending(path: name))),
      "Documents/settings.json": Array(#"{"k": "passphrase of \#(name)"}"#.utf8),
    ]
    let report = try ContainerAudit(name: "Bank", ContainerSource(files: files)).run()
    let finding = try #require(report.findings.first { $0.rule == "container-key" })
    #expect(finding.severity == .high)
    #expect(
      finding.message
        == "The passphrase of the encrypted \(kind) Documents/\(name) (\(format)) is stored in the clear, "
        + "under “k”. It opens the \(kind), which was searched.")
  }

  @Test func aKeyInTheKeychainIsANote() throws {
    let item = KeychainItem(
      .genericPassword, value: .bytes(Self.key), locator: Locator("keychain-backup.plist"),
      accessibility: .afterFirstUnlock)
    let report = try report(nil, keychain: [item])
    let finding = try #require(report.findings.first { $0.message.contains(Self.database) })
    #expect(finding.severity == .note)
    #expect(finding.message.contains("kSecAttrAccessibleAfterFirstUnlock"))
  }

  /// The key may be a value, or the name of an entry, which is part of the place.
  @Test(arguments: [
    #"{"k": "\#(digits)"}"#, #"{"\#(digits)": 1}"#, #"{"\#(digits)": "\#(digits)"}"#,
  ]) func noReportShowsTheKey(_ settings: String) throws {
    let report = try report(settings)
    #expect(report.findings.contains { $0.rule == "container-key" })
    for format in MaskingOfFilesTests.Format.allCases {
      let text = format.text(of: report, Rulebook.all, reveal: false)
      #expect(!text.contains(Self.digits.prefix(24)), "\(format)")
    }
  }

  /// The key may be the name of the database, and of the file that has the key.
  @Test(arguments: [
    digits, digits.uppercased(), base64, base64.replacing("=", with: ""),
  ]) func noReportShowsTheKeyInAPath(_ name: String) throws {
    let report = try report(
      #"{"k": "\#(Self.digits)"}"#, database: "Documents/\(name).db",
      ["Documents/keys/\(name).txt": Self.digits])
    #expect(report.findings.count { $0.rule == "container-key" } == 2)
    let paths = report.containers.first?.files.map(\.path) ?? []
    #expect(paths.count { $0.contains("…(") } == 2)
    for format in MaskingOfFilesTests.Format.allCases {
      let text = format.text(of: report, Rulebook.all, reveal: false)
      #expect(!text.contains(name.prefix(24)), "\(format)")
    }
  }

  /// Paths show where to look, so nothing else is masked in them.
  @Test func whatIsNoKeyStaysInThePath() throws {
    let other = String(repeating: "ab", count: 32)
    let report = try report(
      #"{"k": "\#(Self.digits)"}"#, database: "Documents/\(other).db")
    #expect(
      report.containers.first?.files.map(\.path).sorted() == [
        "Bank/Documents/\(other).db", "Bank/Documents/settings.json",
      ])
  }

  @Test func eachPlaceOfAKeyIsAFinding() throws {
    let item = KeychainItem(
      .genericPassword, value: .bytes(Self.key), locator: Locator("keychain-backup.plist"),
      accessibility: .afterFirstUnlock)
    let report = try report(
      #"{"k": "\#(Self.digits)", "l": ["\#(Self.digits)"]}"#, keychain: [item],
      ["Documents/app.log": "opened with \(Self.digits)\n", "k.txt": Self.digits])
    let findings = report.findings.filter { $0.message.contains(Self.database) }
    #expect(findings.allSatisfy { $0.rule == "container-key" })
    #expect(
      findings.map { "\($0.location.path) \($0.severity)" }.sorted() == [
        "Bank/Documents/app.log high", "Bank/Documents/settings.json high",
        "Bank/Documents/settings.json high", "Bank/k.txt high",
        "Bank/keychain-backup.plist note",
      ])
    // Each is a finding of its own for the baseline.
    #expect(Set(findings.map(\.anchor)).count == 5)
  }

  @Test func whatStaysClosedIsNamed() throws {
    let report = try report(#"{"k": "\#(String(repeating: "ab", count: 32))"}"#)
    #expect(!report.findings.contains { $0.message.contains(Self.database) })
    for text in [
      TerminalReport().text(of: report, rules: Rulebook.all),
      HTMLReport().text(of: report, rules: Rulebook.all),
    ] {
      #expect(text.contains("none of 1 key and"))
    }
    let file = try #require(report.containers.first?.files.first { $0.tries != nil })
    #expect(file.path == "Bank/" + Self.database && file.tries?.keys == 1)
  }
}
