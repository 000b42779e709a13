import AtRest
import Foundation
import Logging
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The sample of docs/Vault.md for the Vault's neighbours. Between the marks is what the page shows.
@Suite struct NeighbourSamples {
  @Test func useTheNeighbours() throws {
    let test = try TestVault()
    let vault = try test.open()
    let account = try vault.logIn("eva")
    let data = Data("text".utf8)
    let record = Data("record 7".utf8)
    let secrets = SecretRegistry()
    // sample: use the neighbours
    let preferences = account.preferences  // the calls of UserDefaults, values encrypted
    try preferences.set(true, forKey: "compact")

    let keys = account.envelopeKeys(named: "backup")  // rotate() rewrites no data
    let envelope = try keys.seal(data, context: record)  // can be stored anywhere

    let stamper = account.stamper()  // readable; detects a change or a replay
    let limits = try stamper.stamp(["daily": 500], name: "limits")
    let daily = try stamper.open(limits, name: "limits")

    let session = URLSession(configuration: .sensitive)  // no cache, no cookies
    let name = try account.pseudonyms.pseudonym(for: "eva", to: "ads.example")

    let redactor = Redactor(secrets: secrets)  // finds 60 encodings, nested ones too
    let handler = RedactingLogHandler(
      StreamLogHandler.standardError(label: "app"), redactor: redactor)
    // sample: end
    #expect(try preferences.bool(forKey: "compact"))
    #expect(Data(copying: try keys.open(envelope, context: record)) == data)
    #expect(daily == ["daily": 500])
    #expect(session.configuration.writesNothingToDisk)
    #expect(name.count == 26)
    #expect(handler.metadata.isEmpty)
  }
}
