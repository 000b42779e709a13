import AtRestKeyServerStore
import Foundation
import Testing

/// Clients that open more connections than they need, against the program.
@Suite struct ConnectionLimitTests {
  @Test func `One source cannot take all connections`() throws {
    // Only the idle time of 15 seconds ends a connection that says nothing.
    let program = try ServerProgram(
      TestDatabase(.embedded),
      flags: ["--request-timeout", "600", "--max-connections-per-source", "8"])
    let connections = try (0..<20).map { _ in
      try RawConnection(port: program.port, certificate: nil)
    }
    #expect(eventually { connections.count { $0.isClosed } >= 12 })
    // Another source is served, and this one is not. The control comes first, while all are open.
    let other = ["--interface", "127.0.0.2"]
    #expect(try program.curl("/health").status != 0)
    #expect(connections.count { $0.isClosed } == 12)
    #expect(try program.curl("/health", other).text == "ok\n")
    for connection in connections { connection.close() }
    #expect(try eventually { try program.curl("/health").text == "ok\n" })
    #expect(program.stop() == 0)
  }
}
