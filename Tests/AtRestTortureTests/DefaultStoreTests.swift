// On Apple's platforms these calls would reach the system's keychain.
#if !canImport(Darwin)
  import Foundation
  import Testing

  /// Programs that import `Security` and chose no keychain.
  @Suite struct DefaultStoreTests {
    @Test(arguments: 0..<(Worker.isFull ? 300 : 8)) func manyAtOnceMakeOneStore(_: Int) throws {
      let scratch = try Scratch()
      let workers = try (0..<6).map { try Worker("services", scratch, "account-\($0)", "app") }
      for worker in workers { #expect(worker.finish().lines == ["0 0 app"]) }
      // All of them see one store, and another application sees none of it.
      #expect(
        try Worker("services", scratch, "account-3", "app").finish().lines == ["-25299 0 app"])
      #expect(try Worker("services", scratch, "account-3", "other").finish().lines == ["0 0 other"])
    }

    @Test func aStoreThatDoesNotOpenIsNotAvailableAndNotFoundEmpty() throws {
      let scratch = try Scratch()
      #expect(try Worker("services", scratch, "a", "app").finish().lines == ["0 0 app"])
      let keybag = scratch.store.appendingPathComponent("keybag")
      let whole = try Data(contentsOf: keybag)
      try whole.prefix(whole.count / 2).write(to: keybag)
      #expect(try Worker("services", scratch, "a", "app").finish().lines == ["-25291 -25291 -"])
      // Control: only the file was wrong.
      try whole.write(to: keybag)
      #expect(try Worker("services", scratch, "a", "app").finish().lines == ["-25299 0 app"])
    }

    /// Runs the program twice under another name, and returns its output and its log.
    private func runTwice(
      as name: String, _ scratch: Scratch, with variables: [String: String] = [:]
    ) throws -> (lines: [String], log: String) {
      let program = scratch.folder.appendingPathComponent(name)
      try FileManager.default.createSymbolicLink(
        at: program, withDestinationURL: Worker.binary("atrest-torture-worker"))
      defer { try? FileManager.default.removeItem(at: program) }
      var lines: [String] = []
      var log = ""
      for _ in 0..<2 {
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = program
        process.arguments = ["services", scratch.store.path, scratch.device.path, "a", "app"]
        process.environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        let said = output.fileHandleForReading.readDataToEndOfFile()
        log += String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        lines += String(decoding: said, as: UTF8.self).split(separator: "\n").map(String.init)
      }
      return (lines, log)
    }

    @Test(arguments: ["ci-test-runner", "app.xctest", "app"])
    func theNameOfAProgramDoesNotMakeItATest(_ name: String) throws {
      let scratch = try Scratch()
      let (lines, log) = try runTwice(as: name, scratch)
      // The second run finds the item that the first one stored.
      #expect(lines == ["0 0 app", "-25299 0 app"])
      #expect(!log.contains("in memory"))
    }

    /// Control: a testing library that the program loads makes it a test.
    @Test(arguments: ["Testing", "XCTest"])
    func aTestingLibraryMakesATestAndTheLogSaysSo(_ library: String) throws {
      // The file has no size, so String(contentsOfFile:) considers it empty.
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/self/maps"))
      let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      let testing = try #require(
        maps.split(separator: "\n").lazy.compactMap { line in
          line.split(separator: " ").last.map(String.init)
        }.first { $0.hasSuffix("/libTesting.so") })
      let path = testing.replacing("libTesting", with: "lib\(library)")
      let scratch = try Scratch()
      let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
      let (lines, log) = try runTwice(
        as: "app", scratch, with: ["LD_PRELOAD": path, "LD_LIBRARY_PATH": folder])
      #expect(lines == ["0 0 app", "0 0 app"])
      #expect(log.contains("in memory"))
      #expect(log.contains("library=\(library)"))
      #expect(!FileManager.default.fileExists(atPath: scratch.store.path))
    }
  }
#endif
