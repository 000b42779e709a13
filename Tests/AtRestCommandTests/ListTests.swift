import Testing

@Suite struct ListTests {
  @Test func jsonNamesEverythingButTheSecret() throws {
    let run = try CommandRun.withStore()
    _ = try run(
      "add", "--service", "mail", "--account", "eva", "--label", "L", "--comment", "C", "--group",
      "g", "--accessible", "after-first-unlock", input: "s3cret")
    _ = try run(
      "add", "--server", "example.org", "--account", "adam", "--protocol", "https", "--port",
      "8443", input: "s3cret")
    let listed = try run("list", "--json")
    #expect(!listed.text.contains("s3cret"))
    let items = try #require(listed.json["items"] as? [[String: Any]])
    #expect(items.count == 2)
    #expect(items[0]["class"] as? String == "generic")
    #expect(items[0]["service"] as? String == "mail")
    #expect(items[0]["label"] as? String == "L")
    #expect(items[0]["comment"] as? String == "C")
    #expect(items[0]["group"] as? String == "g")
    #expect(items[0]["accessible"] as? String == "after-first-unlock")
    #expect(items[1]["protocol"] as? String == "https")
    #expect(items[1]["port"] as? String == "8443")
    #expect((listed.json["withheld"] as? [Any])?.isEmpty == true)
    let filtered = try run("list", "--json", "--account", "adam").json["items"] as? [Any]
    #expect(filtered?.count == 1)
  }

  @Test func tableIsAlignedAndObeysNobody() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "\u{1B}[2Jmail", "--account", "eva", input: "x")
    let lines = try run("list").text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(!lines[1].contains("\u{1B}"))
    let heading = try #require(lines[0].range(of: "ACCOUNT")?.lowerBound)
    let cell = try #require(lines[1].range(of: "eva")?.lowerBound)
    #expect(
      lines[0].distance(from: lines[0].startIndex, to: heading)
        == lines[1].distance(from: lines[1].startIndex, to: cell))
  }

  @Test func nothingIsNothing() throws {
    let run = try CommandRun.withStore()
    let listed = try run("list")
    #expect(listed.status == 0)
    #expect(listed.text == "")
  }
}
