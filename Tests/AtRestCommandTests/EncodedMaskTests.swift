import AtRestCommand
import AtRestCrypto
import Foundation
import Testing

/// `atrest run` masks secrets as the usual encoders write them.
struct EncodedMaskTests {
  private static let secret = "pä/ß<&>\"\'ω-4711+x"

  /// - Parameter pauses: True if the program waits after each step, so that a prompt appears.
  private func masked(
    _ bytes: [UInt8], _ secret: String, step: Int, pauses: Bool = false
  ) -> [UInt8] {
    var mask = OutputMask([SecretBox(SecretBytes(utf8: secret))])
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: step) {
      bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { part in
        mask.write(part) { output += $0 }
      }
      if pauses { mask.pause { output += $0 } }
    }
    mask.finish { output += $0 }
    return output
  }

  @Test(arguments: [1, 1000]) func encodersOfOtherLanguages(_ step: Int) {
    let forms = [
      // json.dumps of Python, and PHP's
      #"p\u00e4/\u00df<&>\"'\u03c9-4711+x"#, #"p\u00e4\/\u00df<&>\"'\u03c9-4711+x"#,
      // Foundation, and Go
      #"pä\/ß<&>\"'ω-4711+x"#, #"pä/ß\u003c\u0026\u003e\"'ω-4711+x"#,
      // urllib.parse.quote, which keeps the slash
      "p%C3%A4/%C3%9F%3C%26%3E%22%27%CF%89-4711%2Bx",
      // html.escape, and Go's
      "pä/ß&lt;&amp;&gt;&quot;&#x27;ω-4711+x", "pä/ß&lt;&amp;&gt;&#34;&#39;ω-4711+x",
      // repr of bytes
      #"p\xc3\xa4/\xc3\x9f<&>"'\xcf\x89-4711+x"#,
    ].map { Array($0.utf8) }
    let wide = [
      Data(Self.secret.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }),
      Data(Self.secret.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }),
    ].map { Array($0) }
    for form in forms + wide {
      let result = masked([60] + form + [62], Self.secret, step: step)
      #expect(
        result == Array("<[withheld]>".utf8), "\(String(decoding: result, as: UTF8.self))")
    }
    // Control: another text in the same encoding stays.
    let other = Array(#"p\u00e4/\u00df<&>\"'\u03c8-4711+x"#.utf8)
    #expect(masked(other, Self.secret, step: step) == other)
  }

  private func lines(_ text: String, _ secret: String, step: Int, pauses: Bool = false) -> String {
    String(
      decoding: masked(Array(text.utf8), secret, step: step, pauses: pauses), as: UTF8.self)
  }

  /// Encodings that only a whole line shows: those of the library, also one inside the other.
  @Test(arguments: [1, 5, 1000]) func encodingsOfTheLibrary(_ step: Int) {
    let secret = "wren-under-the-roof-7"
    let bytes = Array(secret.utf8)
    let list = bytes.map(String.init).joined(separator: ", ")
    let hex = bytes.map { String(format: "%02x", $0) }.joined(separator: ":")
    let twice = Data(Data(bytes).base64EncodedString().utf8).base64EncodedString()
    for form in [list, hex, twice] {
      let result = lines("a [\(form)] b\nc", secret, step: step)
      #expect(result.hasPrefix("a [") && result.hasSuffix("] b\nc"), "\(result)")
      #expect(result.contains("[withheld]") && !result.contains(form), "\(result)")
    }
    // Control: other text stays.
    let other = "a [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] wren under the roof\nb"
    #expect(lines(other, secret, step: step) == other)
  }

  /// A program that waits in the middle of a secret shows one character of it, and a part of the next escape.
  @Test(arguments: ["wren-under-the-roof-7", "wren"]) func aPauseInASecret(_ secret: String) {
    let bytes = Array(secret.utf8)
    func each(_ format: String, by separator: String = "") -> String {
      bytes.map { String(format: format, $0) }.joined(separator: separator)
    }
    let forms = [
      each("%02x"), each("%02x", by: ":"), each("%d", by: ", "), each("%%%02X"), each("\\u%04x"),
      each("&#%d;"), Data(bytes).base64EncodedString(), secret,
    ]
    for form in forms {
      for step in [1, 3, form.utf8.count - 2] {
        let result = lines("a <\(form)> b", secret, step: step, pauses: true)
        #expect(result.hasPrefix("a <") && result.hasSuffix("> b"), "\(form), \(step): \(result)")
        let shown = result.dropFirst(3).dropLast(3).replacing(OutputMask.mark, with: "")
        #expect(shown.utf8.count <= 12 && result.contains(OutputMask.mark), "\(form): \(result)")
      }
    }
  }

  /// A secret of a few bytes is found in the same encodings.
  @Test(arguments: ["wren", "wren7"]) func aShortSecret(_ secret: String) {
    let bytes = Array(secret.utf8)
    let hex = bytes.map { String(format: "%02x", $0) }.joined()
    let list = bytes.map(String.init).joined(separator: ", ")
    let forms = [
      secret, hex, list, Data(bytes).base64EncodedString(), "%77ren" + secret.dropFirst(4),
    ]
    for form in forms {
      #expect(lines("a <\(form)> b\n", secret, step: 100).hasPrefix("a <[withheld]"), "\(form)")
    }
    // Control: other text stays.
    let other = "wre ren 7772656d [119, 114, 101, 109] d3JlbQ== feed face beef\n"
    #expect(lines(other, secret, step: 100) == other)
  }

  /// A prompt appears although it has no end of a line, before the program reads anything.
  @Test func aPromptAppears() throws {
    let run = try CommandRun.withStore()
    _ = try run("add", "--service", "db", "--account", "eva", input: "wren-under-7\n")
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = try CommandRun.binary()
    process.arguments = ["run", "--", "sh", "-c", "printf 'Name: '; read x; echo \"$x\""]
    process.environment = run.environment().merging(["A": "atrest://db/eva"]) { $1 }
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    // The program waits for an answer to the prompt.
    var text = ""
    while !text.contains("Name: ") {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { break }
      text += String(decoding: part, as: UTF8.self)
    }
    #expect(text == "Name: ")
    input.fileHandleForWriting.write(Data("wren-under-7\n".utf8))
    process.waitUntilExit()
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    #expect(String(decoding: rest, as: UTF8.self) == "[withheld]\n")
  }
}
