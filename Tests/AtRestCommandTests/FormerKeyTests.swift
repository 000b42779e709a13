import Foundation
import Testing

/// A wrong passphrase of a database or a key file is reported before a new one is asked for.
@Suite struct FormerKeyTests {
  @Test func itIsTriedFirst() throws {
    let run = try CommandRun()
    let (right, wrong) = (
      try run.file("right", "wren under 7 kettles\n"), try run.file("wrong", "another\n")
    )
    let make = ["CREATE TABLE t(a)"]
    let new = ["database", "shell", "--new", "--passphrase-file", right]
    #expect(try run.run(new + ["a.db"] + make, input: nil).status == 0)
    #expect(try run.run(new + ["--key-file", "k", "b.db"] + make, input: nil).status == 0)
    for (verb, file) in [("rekey", "a.db"), ("passphrase", "k")] {
      let refused = try run("database", verb, "--passphrase-file", wrong, file)
      #expect(refused.status == 5 && !refused.notes.contains("terminal"), "\(refused)")
      // Control: with the right one, the new one is asked for, and there is no terminal.
      let asked = try run("database", verb, "--passphrase-file", right, file)
      #expect(asked.status == 2 && asked.notes.contains("no terminal"), "\(asked)")
    }
  }
}
