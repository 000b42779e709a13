import Foundation
import Testing

/// `atrest audit` passes everything to `atrest-audit`.
@Suite struct AuditTests {
  @Test func argumentsAndExitCodeArePassedOn() throws {
    let run = try CommandRun()
    let program = try run.file("atrest-audit", "#!/bin/sh\nprintf '%s|' \"$@\"\nexit 41\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    let path = run.folder.path + ":/usr/bin:/bin"
    let result = try run.run(
      ["audit", "--format", "json", "a b", "--help"], input: nil, with: ["PATH": path])
    #expect(result.text == "--format|json|a b|--help|")
    #expect(result.status == 41)
  }

  @Test func whatIsMissingIsSaid() throws {
    let run = try CommandRun()
    let result = try run.run(["audit", "."], input: nil, with: ["PATH": run.folder.path])
    #expect(result.status == 3)
    #expect(result.notes.contains("make install-audit"))
  }

  /// Without the auditor, the help is this command's own, and says where to get it.
  @Test(arguments: ["--help", "-h"]) func helpNeedsNoAuditor(word: String) throws {
    let run = try CommandRun()
    // There is no auditor beside the copy.
    let program = run.folder.appendingPathComponent("atrest")
    try FileManager.default.copyItem(at: CommandRun.binary(), to: program)
    let result = try run.execute(
      program.path, ["audit", word], with: ["PATH": run.folder.path])
    #expect(result.status == 0 && result.notes == "")
    #expect(result.text.contains("USAGE: atrest audit"), "\(result.text)")
    let words = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("make install-audit"), "\(result.text)")
  }
}
