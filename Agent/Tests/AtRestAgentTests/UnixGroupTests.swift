@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The group of a program with the set-group-ID bit is evidence.
@Suite(
  .enabled(if: AgentRun.isInstalled("python3") && geteuid() == 0, "needs python3, and root"))
struct UnixGroupTests {
  /// Returns the evidence that the agent finds about a process with a group.
  private func evidence(_ run: AgentRun, group: UInt32) throws -> [AgentEvidence] {
    let script =
      AgentRun.pythonHead + """
        import os, socket, sys
        os.setegid(int(sys.argv[2]))
        agent = socket.socket(socket.AF_UNIX); agent.connect(sys.argv[1])
        agent.sendall(bytes([0, 0, 0, 18]) + head(1))
        file = agent.makefile("rb")
        print(file.read(int.from_bytes(file.read(4), "big"))[2:].decode())
        """
    // The folder of the socket is entered with the rights of its user.
    let result = try run.execute(
      "/usr/bin/python3", ["-c", script, run.socket, String(group)])
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    return try decoder.decode(AgentStatus.self, from: Data(result.text.utf8)).evidence
  }

  @Test func aForeignGroupIsEvidence() throws {
    let run = try AgentRun()
    let mail = try #require(getgrnam("mail")).pointee.gr_gid
    let foreign = try evidence(run, group: mail)
    #expect(foreign.contains(AgentEvidence(.unixGroup, String(mail))), "\(foreign)")
    #expect(AgentEvidence(.unixGroup, String(mail)).holdsAgainstOtherPrograms)
    // Controls: the user's own group, which every program has; a group without a name, which may be a
    // subordinate one; and the group that stands for those that a namespace does not have.
    for group in [getgid(), 424_242, 65_534] {
      #expect(try !evidence(run, group: group).contains { $0.kind == .unixGroup }, "\(group)")
    }
  }
}
