import Foundation
import Testing

/// A closed standard input is called closed.
@Suite struct ClosedInputTests {
  @Test(arguments: ["add --service s --account a", "protect -o out -", "credential git get"])
  func itIsNamed(command: String) throws {
    let run = try CommandRun.withStore()
    let program = try CommandRun.binary().path
    let closed = try run.execute(
      "/usr/bin/setsid", ["-w", "/bin/sh", "-c", "exec '\(program)' \(command) <&-"])
    #expect(closed.status == 2 && closed.notes.contains("Standard input is closed."), "\(closed)")
  }
}
