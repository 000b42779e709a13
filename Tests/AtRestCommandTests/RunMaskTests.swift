import AtRestCommand
import AtRestCrypto
import Foundation
import Testing

/// `atrest run` replaces secrets in the output of the program.
struct RunMaskTests {
  private func masked(_ text: String, _ secrets: [String], step: Int = 1 << 20) -> String {
    var mask = OutputMask(secrets.map { SecretBox(SecretBytes(utf8: $0)) })
    var output: [UInt8] = []
    let bytes = Array(text.utf8)
    for start in stride(from: 0, to: bytes.count, by: step) {
      bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { part in
        mask.write(part) { output += $0 }
      }
    }
    mask.finish { output += $0 }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func bothStreamsAreMasked() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "db", "--account", "eva", input: "wren-under-7\n")
    let script = "echo \"a $A b\"; echo \"c $A d\" >&2; printf %s \"$A\" | base64"
    let values = ["A": "atrest://db/eva"]
    let result = try run.run(["run", "--", "sh", "-c", script], input: nil, with: values)
    #expect(result.text == "a [withheld]\n b\n[withheld]Cg==\n", "\(result.text)")
    #expect(result.notes == "c [withheld]\n d\n")
    // Control: without masking, the secret is there.
    let words = ["run", "--no-masking", "--", "sh", "-c", script]
    #expect(try run.run(words, input: nil, with: values).text.hasPrefix("a wren-under-7\n b\n"))
  }

  @Test(arguments: [1, 2, 3, 7, 1000]) func partsOfAnyLength(_ step: Int) {
    let secrets = ["abcabcd", "needle", "eedl", "aaaa"]
    let cases = [
      ("abcabcabcd!", "abc[withheld]!"), ("a needle eed needl", "a [withheld] eed n[withheld]"),
      ("aaaaaaaaa b aaa", "[withheld] b aaa"), ("abcabc", "abcabc"), ("", ""),
      ("needleneedle", "[withheld]"), ("needlabcabcd", "n[withheld]"),
    ]
    for (text, expected) in cases {
      #expect(masked(text, secrets, step: step) == expected, "\(text), \(step)")
    }
  }

  /// The mask finds the same as a search of the whole text.
  @Test func randomTextAgreesWithASearch() {
    var generator = SplitMix(state: 4711)
    func random(_ count: Int) -> String {
      String((0..<count).map { _ in "ab".randomElement(using: &generator)! })
    }
    for _ in 0..<300 {
      let secrets = (0..<3).map { _ in random(Int.random(in: 4...9, using: &generator)) }
      let text = random(60)
      let bytes = Array(text.utf8)
      var hidden = [Bool](repeating: false, count: bytes.count)
      for secret in secrets {
        let needle = Array(secret.utf8)
        for start in 0...(bytes.count - needle.count)
        where Array(bytes[start..<start + needle.count]) == needle {
          for index in start..<start + needle.count { hidden[index] = true }
        }
      }
      var expected = ""
      for (index, byte) in bytes.enumerated() {
        if !hidden[index] {
          expected.unicodeScalars.append(Unicode.Scalar(byte))
        } else if index == 0 || !hidden[index - 1] {
          expected += OutputMask.mark
        }
      }
      let step = Int.random(in: 1...20, using: &generator)
      #expect(masked(text, secrets, step: step) == expected, "\(secrets), \(text)")
    }
  }

  @Test func encodedFormsAreMasked() {
    let secret = "k%y\"/\\ä-4711+x"
    let bytes = Data(secret.utf8)
    let hex = bytes.map { String(format: "%02x", $0) }.joined()
    let percent = secret.addingPercentEncoding(withAllowedCharacters: .alphanumerics)!
      .replacingOccurrences(of: "%2D", with: "-")
    for form in [secret, hex, hex.uppercased(), percent, "k%y\\\"/\\\\ä-4711+x"] {
      #expect(masked("<\(form)>", [secret]) == "<[withheld]>", "\(form)")
    }
    for offset in 0..<3 {
      let text = (Data(repeating: 0x2A, count: offset) + bytes).base64EncodedString()
      let result = masked(text, [secret])
      #expect(result.contains(OutputMask.mark))
      // Only the characters at the ends, which depend on other bytes too, are left.
      #expect(result.replacingOccurrences(of: OutputMask.mark, with: "").count <= 8)
    }
    // Control: another text stays.
    #expect(masked("<k%y-4711>", [secret]) == "<k%y-4711>")
  }

  @Test func linesOfALongSecretAreMasked() {
    let secret = "-----BEGIN-----\nAAAABBBBCCCC\nDDDDEEEEFFFF\nxy\n-----END-----\n"
    #expect(masked("1 DDDDEEEEFFFF 2\nxy", [secret]) == "1 [withheld] 2\nxy")
  }

  /// Text that cannot become a secret is passed on when the program waits, so a prompt appears.
  @Test func onlyABeginningIsHeldBack() {
    var mask = OutputMask([SecretBox(SecretBytes(utf8: "walrus"))])
    var output = ""
    func write(_ text: String) {
      Array(text.utf8).withUnsafeBytes { bytes in
        mask.write(bytes) { output += String(decoding: $0, as: UTF8.self) }
        mask.pause { output += String(decoding: $0, as: UTF8.self) }
      }
    }
    write("Name: ")
    #expect(output == "Name: ")
    write("wal")
    #expect(output == "Name: ")
    write("k")
    #expect(output == "Name: walk")
  }

  @Test func aShortSecretIsNamed() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "pin", "--account", "eva", input: "123")
    let words = ["run", "--", "sh", "-c", "echo 123"]
    let result = try run.run(words, input: nil, with: ["A": "atrest://pin/eva"])
    #expect(result.text == "123\n")
    #expect(result.notes.contains("is not masked"))
  }
}

/// A generator with a fixed sequence.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
