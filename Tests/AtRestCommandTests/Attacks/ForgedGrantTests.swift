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
    func add(_ accessible: String) throws -> CommandRun.Result {
      try run(
        "add", "--no-unlock", "--service", "grant", "--account", "deadbeef", "--group",
        "atrest.agent", "--accessible", accessible, "--secret-file", "grant")
    }
    // Control: an item of a locked class cannot be added without the passcode.
    #expect(try add("when-unlocked").status == 4)
    let status = try add("always-this-device-only").status
    withKnownIssue("Grants are items of a class that needs no passcode.") {
      #expect(status == 5)
    }
  }
}
