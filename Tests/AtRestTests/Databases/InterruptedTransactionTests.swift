import AtRest
import Foundation
import Testing

/// A program lives on if its database ends in the middle of a transaction. GRDB ends a program that leaves a
/// transaction open, so it runs in a process of its own.
@Suite struct InterruptedTransactionTests {
  /// Runs the worker, and does something when it is ready.
  private func lines(_ moment: String, whenReady body: ((URL) throws -> Void)? = nil) throws
    -> [String]
  {
    try IntegrityRun.withFolder { folder in
      let process = Process()
      let output = Pipe()
      process.executableURL = try IntegrityRun.worker()
      process.arguments = ["interrupted", folder.path, moment]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      if let body {
        let ready = folder.appendingPathComponent("ready").path
        while process.isRunning, !FileManager.default.fileExists(atPath: ready) { usleep(1_000) }
        try body(folder)
      }
      let data = try output.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  /// A statement that only ends or begins a transaction is not stopped.
  @Test(arguments: ["begin", "statement", "savepoint"]) func aLockInterrupts(_ moment: String)
    throws
  {
    #expect(try lines(moment) == ["sqlite-9", "alive"])
  }

  @Test func aLockLetsATransactionBeRolledBack() throws {
    #expect(try lines("rollback") == ["done", "alive"])
  }

  @Test func aWipeInterrupts() throws {
    let lines = try lines("wiped") { folder in
      let device = try FileDeviceKey(in: folder.appendingPathComponent("device"))
      try Keybag.open(at: folder.appendingPathComponent("store"), device: device).wipe()
    }
    #expect(lines == ["sqlite-9", "sqlite-9", "wiped", "alive"])
  }
}
