import Foundation
import Testing

/// If the store does not open a file, the error names the way in that is left.
@Suite struct OtherWayHintTests {
  @Test func itIsNamed() throws {
    let (run, passcode) = try CommandRun.withPasscode()
    let phrase = try run.file("phrase", "wren under 7 copper kettles\n")
    _ = try run.file("plain", "plain")
    for (name, options) in [("f", ["--passphrase-file", phrase]), ("g", [])] {
      let made = try run.run(
        ["protect", "--class", "complete", "--passcode-file", passcode, "-o", name, "plain"]
          + options, input: nil)
      #expect(made.status == 0, "\(made.notes)")
    }
    func notes(_ name: String, _ options: String...) throws -> String {
      try run.run(["unprotect", "-o", "-", name] + options, input: nil).notes
    }
    #expect(try notes("f").contains("--passphrase-file"))
    #expect(try notes("f", "--no-unlock").contains("--passphrase-file"))
    #expect(try !notes("g").contains("--passphrase-file"))
    try FileManager.default.removeItem(at: run.folder.appendingPathComponent("device"))
    #expect(try notes("f").contains("--passphrase-file"))
    #expect(try !notes("g").contains("--passphrase-file"))
    #expect(try run("unprotect", "--passphrase-file", phrase, "-o", "-", "f").text == "plain")
  }
}
