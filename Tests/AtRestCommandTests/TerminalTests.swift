// These tests use Linux pseudo-terminals.
#if os(Linux)
  import Foundation
  import Testing

  /// The behaviour of the command on a terminal of its own.
  @Suite struct TerminalTests {
    @Test func echoIsOffBeforeThePromptShows() throws {
      let run = try CommandRun()
      for _ in 0..<20 {
        let terminal = try PseudoTerminal()
        // Control: the terminal itself shows typed text.
        #expect(terminal.echoes)
        let command = CommandRun.quoted(try CommandRun.binary().path)
        let process = try terminal.start("\(command) init --kdf-time 1", run)
        // The first byte of the prompt has arrived, and echo is already off: text typed at once is
        // neither shown nor lost.
        let prompt = terminal.read(until: "N")
        #expect(!terminal.echoes)
        terminal.write("a long passcode\n")
        let second = terminal.read(until: "again")
        #expect(!terminal.echoes)
        terminal.write("a long passcode\n")
        let rest = terminal.read(until: "created the store")
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(!(prompt + second + rest).contains("a long passcode"))
        try FileManager.default.removeItem(at: run.folder.appendingPathComponent("store"))
        try FileManager.default.removeItem(at: run.folder.appendingPathComponent("device"))
      }
    }

    @Test(arguments: [20, 60, 132]) func aListKeepsToTheWidth(_ width: Int) throws {
      let run = try CommandRun.withStore()
      let long = String(repeating: "l", count: 120_000)
      for (account, label) in [("a", long), ("b", "日本語日本語日本語日本語日本語"), ("c", "short")] {
        _ = try run("add", "--service", "mail", "--account", account, "--label", label, input: "x")
      }
      let terminal = try PseudoTerminal()
      let command = CommandRun.quoted(try CommandRun.binary().path)
      let process = try terminal.start("stty cols \(width); \(command) list; echo end", run)
      let lines = terminal.read(until: "end").split(whereSeparator: \.isNewline).dropLast()
      process.waitUntilExit()
      #expect(lines.count == 4)
      for line in lines {
        let columns = line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3000 ? 2 : 1) }
        #expect(columns <= width)
      }
      if width > 20 { #expect(lines.contains { $0.contains("…") }) }
    }

    @Test func elsewhereAListIsWholeAndPaddedForItself() throws {
      let run = try CommandRun.withStore()
      let long = String(repeating: "l", count: 120_000)
      for (account, label) in [("a", long), ("b", "short")] {
        _ = try run("add", "--service", "mail", "--account", account, "--label", label, input: "x")
      }
      let lines = try run("list").text.split(separator: "\n")
      #expect(lines.count == 3)
      #expect(lines.filter { $0.contains(long) }.count == 1)
      #expect(lines.filter { $0.count > 300 }.count == 1)
    }
  }
#endif
