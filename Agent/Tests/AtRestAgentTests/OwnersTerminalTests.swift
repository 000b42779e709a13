#if os(Linux)
  @_spi(Tools) import AtRestKeychain
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// `atrest` on the terminal on which its owner unlocked the store needs no grant.
  @Suite(.enabled(if: AgentRun.isInstalled("python3"), "needs python3"))
  struct OwnersTerminalTests {
    private func setUp() throws -> (run: AgentRun, agent: AgentProgram, atrest: CommandLineProgram)
    {
      let run = try AgentRun()
      return (run, try AgentProgram(run.location, in: run.folder), try CommandLineProgram(run))
    }

    private static let get = "$ATREST get --service mail --account eva --group mail"

    @Test func afterUnlockItWorksThere() throws {
      let (_, agent, atrest) = try setUp()
      let text = try atrest.onTerminal(
        """
        $ATREST unlock && echo unlocked
        \(Self.get) | sed 's/^/got /'
        echo new | $ATREST add --service new --account eva && echo added
        $ATREST list
        echo content >file; $ATREST protect --class complete file && echo protected
        $ATREST lock && echo locked
        """)
      for part in ["unlocked", "got mail secret", "added", "protected", "locked"] {
        #expect(text.contains(part), "\(part): \(text)")
      }
      // The passcode was asked for once.
      #expect(text.components(separatedBy: "Passcode").count == 2, "\(text)")
      let entries: [AgentLogEntry] = try agent.connect().document(.log(count: 100))
      #expect(entries.contains { $0.evidence.first?.kind == .terminal && $0.operation == "get" })
    }

    /// Elsewhere, the same program has no more rights than others.
    @Test func elsewhereItDoesNot() throws {
      let (run, agent, atrest) = try setUp()
      let text = try atrest.onTerminal(
        """
        $ATREST unlock && echo unlocked
        echo "background: $(setsid -w \(Self.get) 2>&1)"
        set -m; \(Self.get) >job 2>&1 </dev/null & wait $!; echo "job: $(cat job)"
        echo "here: $(\(Self.get))"
        """)
      #expect(text.contains("background: atrest: The agent has no grant"), "\(text)")
      #expect(text.contains("job: atrest: The agent has no grant"), "\(text)")
      #expect(text.contains("here: mail secret"), "\(text)")
      // Another terminal is told what to do.
      let other = try atrest.onTerminal(Self.get)
      #expect(other.contains("Run atrest unlock on this terminal"), "\(other)")
      #expect(!other.contains("mail secret"))
      // A process without a terminal, and another program, are refused.
      #expect(try atrest.script(Self.get).status == 5)
      #expect(throws: (any Error).self) { try run.text(AgentRun.mail, over: agent.connect()) }
    }

    /// A lock ends it, and on a terminal the passcode is asked for as without an agent.
    @Test func aLockEndsIt() throws {
      let (_, agent, atrest) = try setUp()
      let text = try atrest.onTerminal(
        """
        $ATREST unlock; $ATREST lock
        echo "asked: $(\(Self.get))"
        $ATREST agent | grep state
        """)
      #expect(text.contains("asked: mail secret"), "\(text)")
      #expect(text.components(separatedBy: "Passcode").count == 3, "\(text)")
      #expect(text.contains("locked since"), "\(text)")
      withExtendedLifetime(agent) {}
    }
  }
#endif
