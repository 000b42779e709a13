import Testing

/// A signature has one encoding in base64, apart from white space.
@Suite struct SignatureTextTests {
  @Test func strayCharactersAreRefused() throws {
    let run = try CommandRun.withStore()
    #expect(try run("keygen", "--tag", "t", "--algorithm", "ed25519").status == 0)
    _ = try run.file("message", "hello")
    // 64 bytes are 86 digits and two of padding.
    let digits = try run("sign", "--tag", "t", "message").text.dropLast()
    #expect(digits.count == 88)
    func status(_ signature: String) throws -> Int32 {
      _ = try run.file("signature", signature)
      return try run("verify", "--tag", "t", "--signature-file", "signature", "message").status
    }
    for accepted in [
      String(digits), "\(digits)\n", "\(digits.prefix(64))\r\n\(digits.dropFirst(64))\r\n",
      "  \(digits)\t",
    ] { #expect(try status(accepted) == 0, "\(accepted)") }
    // The last digit before the padding has four bits that belong to no byte.
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let body = digits.dropLast(2)
    let last = try #require(alphabet.firstIndex(of: body.last ?? "A"))
    for refused in [
      "****\(digits)", "\(digits)!!!junk", "\(digits.prefix(8))\0\(digits.dropFirst(8))",
      String(body), "\(body)=", "\(digits)=", "\(digits)AAAA",
      "\(body.dropLast())\(alphabet[last ^ 1])==",
    ] { #expect(try status(refused) == 6, "\(refused)") }
  }
}
