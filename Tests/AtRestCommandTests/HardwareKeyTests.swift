import Testing

/// `atrest keygen --hardware` on a device without hardware for keys.
@Suite struct HardwareKeyTests {
  @Test(arguments: [
    ["--algorithm", "p384"], ["--algorithm", "ed25519"], ["--extractable"],
    ["--import-file", "key.pem"], ["--accessible", "when-unlocked"],
  ])
  func whatHardwareCannotDoIsAUsageError(arguments: [String]) throws {
    let run = try CommandRun.withStore()
    let refused = try run.run(["keygen", "--tag", "t", "--hardware"] + arguments, input: nil)
    #expect(refused.status == 2)
    #expect(try run("list", "--json").json["items"] as? [String] == [])
  }

  @Test func withoutHardwareNoKeyIsMade() throws {
    let run = try CommandRun.withStore()
    let refused = try run("keygen", "--tag", "t", "--hardware", "--algorithm", "p256")
    #expect(refused.status == 1)
    #expect(refused.text == "")
    #expect(refused.notes.contains("has no hardware that makes keys"))
    #expect(try run("sign", "--tag", "t", "-").status == 3)
    // Control: without the option, the key is made, and is not in hardware.
    #expect(try run("keygen", "--tag", "t").status == 0)
    let items = try #require(try run("list", "--json").json["items"] as? [[String: Any]])
    #expect(items.map { $0["hardware"] as? Bool } == [false])
    #expect(try !run("list").text.contains("hardware"))
  }
}
