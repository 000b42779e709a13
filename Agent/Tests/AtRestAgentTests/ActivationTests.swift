import Testing

@testable import AtRestAgent

/// A service manager passes sockets on.
struct ActivationTests {
  @Test func socketsAreFoundByName() {
    let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "2", "LISTEN_FDNAMES": "agent:ssh"]
    #expect(
      AgentListener.activated(environment, process: 7) == [
        "agent": .descriptor(3), "ssh": .descriptor(4),
      ])
    // Sockets for another process are not taken.
    #expect(AgentListener.activated(environment, process: 8) == [:])
    let unnamed = ["LISTEN_PID": "7", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "unknown"]
    #expect(AgentListener.activated(unnamed, process: 7) == ["agent": .descriptor(3)])
    for count in ["0", "-1", "17", "x"] {
      #expect(AgentListener.activated(["LISTEN_PID": "7", "LISTEN_FDS": count], process: 7) == [:])
    }
  }
}
