import AtRest
import Foundation
import Logging
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What README says of the Vault's neighbours, as it stands there.
@Suite struct NeighboursTests {
  @Test func worksAsReadmeSays() throws {
    let test = try TestVault()
    let vault = try test.open()
    let (account, keychain) = (try vault.account("eva"), vault.keychain)
    let data = Data("text".utf8)
    let record = Data("record 7".utf8)
    let secrets = SecretRegistry()
    // README: begin
    let preferences = account.preferences  // UserDefaults' calls, sealed
    try preferences.set(true, forKey: "compact")

    let keys = KeyEncryptionKeys(keychain, name: "backup")  // rotate() touches no data
    let envelope = try keys.seal(data, context: record)  // lies anywhere

    let sealer = ValueSealer(keychain)  // readable; a change or replay is found out
    let limits = try sealer.seal(["daily": 500], name: "limits")
    let daily = try sealer.open(limits, name: "limits")

    let session = URLSession(configuration: .sensitive)  // nothing on disk, no cookies
    let name = try Pseudonyms(in: keychain).pseudonym(for: "eva", to: "ads.example")

    let redactor = Redactor(secrets: secrets)  // also base64, hex, percent
    let handler = RedactingLogHandler(
      StreamLogHandler.standardError(label: "app"), redactor: redactor)
    // README: end
    #expect(try preferences.bool(forKey: "compact"))
    #expect(Data(copying: try keys.open(envelope, context: record)) == data)
    #expect(daily == ["daily": 500])
    #expect(session.configuration.writesNothingToDisk)
    #expect(name.count == 26)
    #expect(handler.metadata.isEmpty)
  }

  @Test func isTheSampleInReadme() throws {
    func lines(_ text: some StringProtocol) -> [String] {
      text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        .filter { !$0.isEmpty }
    }
    let file = URL(fileURLWithPath: #filePath)
    let root = file.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let source = try String(contentsOf: file, encoding: .utf8)
    let parts = source.components(separatedBy: "// README: ")
    let region = lines(try #require(parts.dropFirst().first).dropFirst("begin\n".count))
    let readme = try String(
      contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
    let samples = readme.components(separatedBy: "```swift\n")
    let sample = try #require(samples.dropFirst(2).first?.components(separatedBy: "```").first)
    #expect(lines(sample) == region)
  }
}
