import Foundation
import Testing

@Suite struct InspectTests {
  @Test func jsonTellsWhatTheHeaderSays() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "a long phrase")
    let plain = try run.file("plain", "12345")
    let key = try run.file("key.pub", run("keygen", "--tag", "t", "--algorithm", "x25519").text)
    _ = try run("protect", "--class", "complete", "-o", "a", plain)
    _ = try run("protect", "--passphrase-file", phrase, "-o", "b", plain)
    _ = try run("protect", "--recipient", key, "-o", "c", plain)
    // The command needs no key, not even a store.
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("store"))
    let told = try run("inspect", "--json", "a", "b", "c")
    #expect(told.status == 0)
    let reports = try #require(
      JSONSerialization.jsonObject(with: told.data) as? [[String: Any]])
    let headers = reports.compactMap { $0["header"] as? [String: Any] }
    #expect(headers.count == 3)
    #expect(headers.allSatisfy { $0["size"] as? Int == 5 })
    #expect(headers[0]["storedSize"] as? Int == run.contents("a")?.count)
    let readers = headers.compactMap { ($0["readers"] as? [[String: Any]])?.first }
    #expect(readers.map { $0["kind"] as? String } == ["store", "passphrase", "recipient"])
    #expect(readers[0]["protection"] as? String == "complete")
    let text = try run("inspect", "a", "b", "c").text
    for word in ["class complete of", "scrypt", "x25519 key", "5 bytes", "49136", "never in place"]
    {
      #expect(text.contains(word))
    }
  }

  @Test func othersAreNamed() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("plain", "plain")
    _ = try run.file("list", "<?xml version=\"1.0\"?><plist/>")
    _ = try run.file("old", "\u{3}\u{1}data")
    #expect(try run("protect", "-o", "a", "plain").status == 0)
    let told = try run("inspect", "a", "plain", "list", "old", "missing")
    #expect(told.status == 3)
    #expect(told.text.contains("a: protected file"))
    #expect(told.text.contains("list: property list"))
    #expect(told.text.contains("old: begins like RNCryptor"))
    #expect(told.notes.contains("plain is not a protected file"))
    #expect(try run("inspect", "plain").status == 1)
    let json = try run("inspect", "--json", "plain").text
    #expect(json.contains("\"not-protected\""))
  }
}
