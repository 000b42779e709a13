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
    #expect(result.notes.contains("make audit"))
  }
}
