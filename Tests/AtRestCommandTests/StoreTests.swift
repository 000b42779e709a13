import Foundation
import Testing

@Suite struct StoreTests {
  @Test func statusHasItsShape() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    let status = try run("status", "--json")
    #expect(status.status == 0)
    #expect(
      Set(status.json.keys) == [
        "store", "identity", "device", "lockState", "hasPasscode", "kdf", "failedAttempts",
        "attemptLimit",
        "items", "risks",
      ])
    #expect(status.json["items"] as? Int == 1)
    #expect(status.json["hasPasscode"] as? Bool == false)
    let risks = try #require(status.json["risks"] as? [[String: Any]])
    #expect(risks.contains { $0["id"] as? String == "no-passcode" })
    #expect(risks.allSatisfy { $0["remedy"] is String && $0["message"] is String })
    // The risks of the machine may be listed with those of the store, each once.
    let ids = risks.compactMap { $0["id"] as? String }
    #expect(Set(ids).count == ids.count)
    let text = try run("status").text
    for risk in risks { #expect(text.contains(risk["message"] as? String ?? "?")) }
    let verified = try run("status", "--verify", "--json").json["verification"]
    #expect((verified as? [String: Any])?["items"] as? Int == 1)
  }

  @Test func wipeAsksFirst() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    #expect(try run("wipe", input: "wipe\n").status == 2)
    #expect(try run("get", "--service", "s", "--account", "a").text == "one")
    #expect(try run("wipe", "--yes").status == 0)
    #expect(try run("get", "--service", "s", "--account", "a").status == 3)
    let store = run.folder.appendingPathComponent("store").path
    #expect(!FileManager.default.fileExists(atPath: store))
  }

  /// A copy of a wiped store is refused, even if a file of the store had a wrong mode or a second name.
  @Test(arguments: ["mode", "second name"])
  func aWipedStoreIsNeverAcceptedAgain(_ fault: String) throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    let (store, copy) = (
      run.folder.appendingPathComponent("store"), run.folder.appendingPathComponent("copy")
    )
    try FileManager.default.copyItem(at: store, to: copy)
    let keybag = store.appendingPathComponent("keybag").path
    if fault == "mode" {
      chmod(keybag, 0o664)
    } else {
      link(keybag, run.folder.appendingPathComponent("other").path)
    }
    #expect(try run("get", "--service", "s", "--account", "a").status >= 5)
    #expect(try run("wipe", "--yes").status == 0)
    try FileManager.default.moveItem(at: copy, to: store)
    let result = try run("get", "--service", "s", "--account", "a")
    #expect(result.status == 6 || result.status == 1)
    #expect(result.notes.contains("was wiped"), "\(result.notes)")
  }

  @Test func aStoreWhoseDeviceKeyIsRefusedIsNotWiped() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    let key = run.folder.appendingPathComponent("device/device.key").path
    chmod(key, 0o640)
    #expect(try run("wipe", "--yes").status == 5)
    chmod(key, 0o600)
    #expect(try run("get", "--service", "s", "--account", "a").text == "one")
  }

  @Test func noFileShowsWhatIsKept() throws {
    let run = try CommandRun.withStore()
    let words = ["the-service", "the-account", "the-label", "the-group", "the-secret"]
    _ = try run(
      "add", "--service", words[0], "--account", words[1], "--label", words[2], "--group",
      words[3], input: words[4])
    let store = run.folder.appendingPathComponent("store")
    let files = try FileManager.default.contentsOfDirectory(
      at: store, includingPropertiesForKeys: nil)
    #expect(files.count > 2)
    for file in files {
      let contents = try Data(contentsOf: file)
      for word in words { #expect(contents.range(of: Data(word.utf8)) == nil) }
    }
  }
}
