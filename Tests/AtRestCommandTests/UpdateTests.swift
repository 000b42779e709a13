import Testing

@Suite struct UpdateTests {
  @Test func whatIsNotNamedStays() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", "--label", "L", input: "one")
    #expect(
      try run(
        "update", "--service", "s", "--account", "a", "--to-account", "b", "--accessible", "always"
      ).status == 0)
    #expect(try run("get", "--service", "s", "--account", "a").status == 3)
    #expect(try run("get", "--service", "s", "--account", "b").text == "one")
    let items = try #require(try run("list", "--json").json["items"] as? [[String: Any]])
    #expect(items.count == 1)
    #expect(items[0]["label"] as? String == "L")
    #expect(items[0]["accessible"] as? String == "always")
  }

  @Test func aNewSecret() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "s", "--account", "a", input: "one")
    #expect(
      try run("update", "--service", "s", "--account", "a", "--secret", input: "two").status == 0)
    #expect(try run("get", "--service", "s", "--account", "a").text == "two")
    #expect(try run("update", "--service", "s", "--account", "a").status == 2)
  }
}
