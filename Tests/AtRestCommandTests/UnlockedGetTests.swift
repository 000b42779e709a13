import Testing

/// `atrest get` reads an item that needs no passcode without asking for it.
@Suite struct UnlockedGetTests {
  @Test func onlyOtherItemsNeedThePasscode() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    for name in ["always", "when-unlocked"] {
      let added = try run(
        "add", "--service", name, "--account", "a", "--accessible", name, "--passcode-file",
        passcode, input: "secret")
      #expect(added.status == 0, "\(added.notes)")
    }
    #expect(try run("get", "--service", "always", "--account", "a").text == "secret")
    #expect(try run("get", "--service", "when-unlocked", "--account", "a").status == 4)
  }
}
