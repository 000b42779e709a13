import Foundation
import Testing

/// Access that needs a finger is refused, because no program on this system can ask for one.
@Suite struct BiometryAccessTests {
  private static let refused = [
    "biometry", "biometry-current", "passcode-and-biometry", "passcode-and-biometry-current",
  ]

  @Test(arguments: refused) func nothingIsStored(_ access: String) throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let file = ["--passcode-file", passcode]
    let item = ["--service", "bio", "--account", "eva"]
    let added = try run.run(["add", "--access", access] + item + file, input: "x")
    #expect(added.status == 5 && added.notes.contains("biometry"))
    let key = try run.run(["keygen", "--tag", "k", "--access", access] + file, input: nil)
    #expect(key.status == 5)
    #expect(try run("status", "--json").json["items"] as? Int == 0)
    // Control: the same item without biometry, which keeps its access when the update is refused.
    #expect(try run.run(["add"] + item + file, input: "x").status == 0)
    #expect(try run.run(["update", "--access", access] + item + file, input: nil).status == 5)
    #expect(try run.run(["get"] + item + file, input: nil).text == "x")
  }

  @Test(arguments: ["user-presence", "passcode", "passcode-or-biometry"])
  func thePasscodeIsEnough(_ access: String) throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let rest = ["--service", "s", "--account", "eva", "--passcode-file", passcode]
    #expect(try run.run(["add", "--access", access] + rest, input: "x").status == 0)
    #expect(try run.run(["get"] + rest, input: nil).text == "x")
  }
}
