import Foundation
import Testing

/// A first passcode says what it changes for the programs that run.
@Suite struct FirstPasscodeTests {
  @Test func itNamesTheAgent() throws {
    let run = try CommandRun.withStore()
    let passcode = try run.file("passcode", "one two three\n")
    let set = try run("passcode", "set", "--passcode-file", passcode)
    #expect(set.status == 0)
    #expect(set.notes.contains("atrest-agent"))
    // Control: a change of the passcode changes nothing for them.
    let other = try run.file("other", "four five six\n")
    let changed = try run(
      "passcode", "change", "--passcode-file", passcode, "--new-passcode-file", other)
    #expect(changed.status == 0 && !changed.notes.contains("atrest-agent"))
  }

  @Test func theRemedyOfAMissingPasscodeSaysSo() throws {
    let run = try CommandRun.withStore()
    let risks = try run("status", "--json").json["risks"] as? [[String: Any]] ?? []
    let risk = try #require(risks.first { $0["id"] as? String == "no-passcode" })
    #expect((risk["remedy"] as? String)?.contains("atrest-agent") == true)
  }
}
