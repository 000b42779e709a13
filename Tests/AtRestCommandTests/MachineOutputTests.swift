import Foundation
import Testing

/// The JSON of commands that other programs run.
@Suite struct MachineOutputTests {
  @Test func backupAndRestore() throws {
    let run = try CommandRun.withStore()
    let phrase = try run.file("phrase", "nine unlikely words of a lamp and a river")
    _ = try run("add", "--service", "s", "--account", "a", input: "x")
    _ = try run(
      "add", "--service", "t", "--account", "b", "--accessible", "always-this-device-only",
      input: "y")
    let backup = try run("backup", "b", "--json", "--passphrase-file", phrase).json
    #expect(backup["migratable"] as? Int == 1)
    #expect(backup["thisDeviceOnly"] as? Int == 1)
    #expect(backup["file"] as? String == "b")

    let other = try CommandRun.withStore()
    let file = run.folder.appendingPathComponent("b").path
    let restored = try other("restore", file, "--json", "--passphrase-file", phrase).json
    #expect(restored["restored"] as? Int == 1)
    let leftOut = try #require(restored["leftOut"] as? [[String: Any]])
    #expect(leftOut.count == 1)
    #expect(leftOut.first?["reason"] as? String == "other-device")
    #expect(leftOut.first?["accessible"] as? String == "always-this-device-only")
    #expect((restored["formerStores"] as? [String])?.count == 1)
  }

  @Test func verification() throws {
    let run = try CommandRun.withStore()
    let file = try run.file("notes", "text")
    _ = try run("keygen", "--tag", "k")
    let signature = try run.file("sig", try run("sign", "--tag", "k", file).text)
    let arguments = ["verify", "--tag", "k", "--signature-file", signature, "--json"]
    let valid = try run.run(arguments + [file], input: nil)
    #expect(valid.status == 0)
    #expect(valid.json["valid"] as? Bool == true)
    let other = try run.file("other", "other text")
    let invalid = try run.run(arguments + [other], input: nil)
    #expect(invalid.status == 6)
    #expect(invalid.json["valid"] as? Bool == false)
  }

  @Test func rowsOfADatabase() throws {
    let run = try CommandRun()
    let key = try run.file("key", String(repeating: "0f", count: 32))
    let rows = try run(
      "database", "shell", "--new", "--json", "--raw-key-file", key, "file",
      "SELECT 7 AS a, x'0aff' AS b, NULL AS c, 'ä|\"' AS d, 9e999 AS e; SELECT 1 AS a")
    #expect(rows.status == 0)
    #expect(
      rows.text == #"{"a":7,"b":"0aff","c":null,"d":"ä|\"","e":"inf"}"# + "\n" + #"{"a":1}"# + "\n")
  }
}
