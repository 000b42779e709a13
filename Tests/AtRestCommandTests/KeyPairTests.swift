import Testing

@Suite struct KeyPairTests {
  @Test(arguments: ["p256", "ed25519"]) func signAndVerify(_ algorithm: String) throws {
    let run = try CommandRun.withStore()
    let made = try run("keygen", "--tag", "t", "--algorithm", algorithm)
    #expect(made.status == 0)
    #expect(try run("public-key", "--tag", "t").text == made.text)
    let key = try run.file("key.pem", made.text)
    let message = try run.file("message", "hello")
    let other = try run.file("other", "hullo")
    let signature = try run.file("signature", run("sign", "--tag", "t", message).text)
    let valid = try run("verify", "--tag", "t", "--signature-file", signature, message)
    #expect(valid.status == 0)
    #expect(valid.text == "valid\n")
    #expect(
      try run("verify", "--public-key-file", key, "--signature-file", signature, message).status
        == 0)
    #expect(try run("verify", "--tag", "t", "--signature-file", signature, other).status == 6)
    #expect(try run("keygen", "--tag", "t").status == 1)
    #expect(try run("get", "--tag", "t").status == 5)
    #expect(try run("delete", "--tag", "t").status == 0)
    #expect(try run("sign", "--tag", "t", message).status == 3)
  }

  @Test func anExtractableKeyComesOutAndGoesIn() throws {
    let run = try CommandRun.withStore()
    let made = try run("keygen", "--tag", "t", "--extractable")
    let key = try run.file("key", run("get", "--tag", "t").text)
    let imported = try run("keygen", "--tag", "u", "--import-file", key)
    #expect(imported.text == made.text)
  }
}
