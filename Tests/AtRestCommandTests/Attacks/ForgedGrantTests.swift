import Foundation
import Testing

/// A program of the user without the passcode writes into the access group in which the agent keeps
/// its grants.
@Suite struct ForgedGrantTests {
  @Test func theAgentsGroupIsClosed() throws {
    let (run, _) = try CommandRun.withPasscode()
    _ = try run.file(
      "grant",
      """
      {"id":"deadbeef","evidence":{"kind":"user","value":"1"},"groups":["*"],"mayWrite":true,"created":0}
      """)
    func add(_ group: String, _ accessible: String) throws -> Int32 {
      try run(
        "add", "--no-unlock", "--service", "grant", "--account", "deadbeef", "--group", group,
        "--accessible", accessible, "--secret-file", "grant"
      ).status
    }
    // Control: an item of a locked class cannot be added without the passcode, and others can.
    #expect(try add("mail", "when-unlocked") == 4)
    #expect(try add("mail", "always-this-device-only") == 0)
    for accessible in ["when-unlocked-this-device-only", "always-this-device-only", "always"] {
      #expect(try add("atrest.agent", accessible) == 5, "\(accessible)")
    }
    let item = ["--no-unlock", "--service", "grant", "--account", "deadbeef"]
    for command in [
      ["update"] + item + ["--group", "atrest.agent", "--label", "x"],
      ["delete"] + item + ["--group", "atrest.agent"],
      ["get"] + item + ["--group", "atrest.agent"],
      ["keygen", "--no-unlock", "--tag", "t", "--group", "atrest.agent"],
    ] {
      #expect(try run.run(command, input: nil).status == 5, "\(command)")
    }
  }
}
