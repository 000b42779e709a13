import Foundation
import Testing

/// A short line of a secret with several lines is masked like a whole secret.
@Suite struct ShortLineMaskTests {
  private func run(_ secret: String, _ script: String) throws -> CommandRun.Result {
    let run = try CommandRun.withStore()
    #expect(try run("add", "--service", "m", "--account", "a", input: secret).status == 0)
    return try run.run(
      ["run", "--", "sh", "-c", script], input: nil, with: ["X": "atrest://m/a"])
  }

  private let lineByLine = "printf %s \"$X\" | while read l; do echo \"<$l>\"; done"

  @Test func linesFromFourBytesAreMasked() throws {
    let done = try run("zzzz-head-zzzz\nabcdefg\n  four\n", lineByLine)
    #expect(done.text == "<[withheld]>\n<[withheld]>\n<[withheld]>\n" && done.notes == "")
  }

  /// Shorter lines would hide ordinary text, so a note says that they are not masked.
  @Test func shorterLinesAreNamed() throws {
    let done = try run("user\nabc\n", lineByLine)
    #expect(done.text == "<[withheld]>\n<abc>\n")
    #expect(done.notes.contains("a line of one, with fewer than 4 bytes is not masked"))
  }

  /// Control: text that is in no line of the secret stays.
  @Test func otherTextStays() throws {
    #expect(try run("head\ntail\n", "echo hea tai ead").text == "hea tai ead\n")
  }
}
