import Testing

@Suite struct ProtectUsageTests {
  @Test func whatMeansNothingIsRefused() throws {
    let run = try CommandRun.withStore()
    let plain = try run.file("plain", "plain")
    let lines: [[String]] = [
      ["protect"], ["protect", "-", "-"], ["protect", "-", "--passphrase-file", "-"],
      ["protect", "--class", "bogus", plain],
      ["protect", "-o", "x", plain, plain], ["protect", "--remove", "-o", "-", plain],
      ["protect", "--json", "-o", "-", plain], ["unprotect", plain],
      ["unprotect", "--identity", "a", "--key-tag", "b", "-o", "x", plain],
      ["unprotect", "--salt", plain, "-o", "x", plain], ["inspect", "-"], ["rewrap", plain],
      ["rewrap", "--class", "none", "-"],
    ]
    for line in lines {
      #expect(try run.run(line, input: "x").status == 2, "\(line)")
    }
    #expect(try run.names("").filter { !$0.hasPrefix(".") } == ["device", "plain", "store"])
  }

  @Test func whatIsProtectedIsNotProtectedTwice() throws {
    let run = try CommandRun.withStore()
    #expect(try run("protect", run.file("plain", "plain")).status == 0)
    let refused = try run("protect", "plain.protected")
    #expect(refused.status == 1)
    #expect(refused.notes.contains("rewrap"))
  }
}
