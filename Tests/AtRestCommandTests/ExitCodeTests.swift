import Testing

@Suite struct ExitCodeTests {
  @Test func usage() throws {
    let run = try CommandRun()
    #expect(try run("bogus").status == 2)
    #expect(try run("get", "--service", "s").status == 2)
    #expect(try run("get", "--service", "s", "--server", "t", "--account", "a").status == 2)
    #expect(try run("init").status == 2)
    #expect(try run("wipe", "--bogus").status == 2)
  }

  @Test func helpAndVersionAreResults() throws {
    let run = try CommandRun()
    let help = try run("--help")
    #expect(help.status == 0)
    #expect(help.text.contains("EXIT CODES"))
    #expect(help.notes == "")
    #expect(try run("--generate-completion-script", "bash").text.contains("keygen"))
  }

  @Test func notFound() throws {
    let run = try CommandRun()
    #expect(try run("status").status == 3)
    _ = try run("init", "--no-passcode")
    let missing = try run("get", "--service", "s", "--account", "a")
    #expect(missing.status == 3)
    #expect(missing.text == "")
    #expect(missing.notes.contains("There is no item"))
  }

  @Test func duplicate() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    #expect(try run("add", "--service", "s", "--account", "a", input: "two").status == 1)
    #expect(try run("get", "--service", "s", "--account", "a").text == "one")
    #expect(
      try run("add", "--replace", "--service", "s", "--account", "a", input: "two").status == 0)
    #expect(try run("get", "--service", "s", "--account", "a").text == "two")
  }

  @Test func damaged() throws {
    let run = try CommandRun.withStore()
    _ = try run.file("store/keybag", "nonsense")
    #expect(try run("status").status == 6)
  }

  @Test func deviceKeyInsideTheStore() throws {
    let run = try CommandRun()
    let inside = run.folder.appendingPathComponent("store/device").path
    let refused = try run("init", "--no-passcode", "--device", inside)
    #expect(refused.status == 2)
    #expect(try run("status").status == 3)
  }
}
