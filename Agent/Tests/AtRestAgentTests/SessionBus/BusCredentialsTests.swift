@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestKeychain
import CAtRestPeer
import Foundation
import Testing

@testable import AtRestAgent

/// What a bus says about a process counts only as far as it cannot be that of another one.
struct BusCredentialsTests {
  /// The number of a process that runs: this one.
  private func seen(_ descriptor: OpenDescriptor?, label: [UInt8] = []) throws -> SeenProcess {
    try SeenProcess(
      BusCredentials(
        user: geteuid(), process: getpid(), label: label, descriptor: descriptor))
  }

  @Test func aNumberAloneIsNotLookedAt() throws {
    let seen = try seen(nil)
    #expect(seen.program == nil && !seen.sharesFiles && seen.root == nil)
    #expect(seen.controlGroups == nil && seen.status == nil)
    #expect(try Peer(seen, digests: ProgramDigests()).isSandboxed)
  }

  /// The agent's own connections with a bus are those of its clients.
  @Test func theAgentItselfIsNotLookedAt() throws {
    var ends: [Int32] = [0, 0]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { ends.forEach { close($0) } }
    var peer = atrest_peer()
    try #require(atrest_get_peer(ends[0], &peer) == 0 && peer.descriptor >= 0)
    let seen = try seen(OpenDescriptor(peer.descriptor))
    #expect(seen.program == nil && !seen.sharesFiles)
    #expect(try Peer(seen, digests: ProgramDigests()).isSandboxed)
    // Control: as the process of a socket it is looked at.
    #expect(try #require(SeenProcess(socket: ends[0])).program != nil)
  }

  @Test func aDescriptorOfAnotherThingIsNone() throws {
    let seen = try seen(OpenDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC)))
    #expect(seen.program == nil && !seen.sharesFiles)
  }

  /// The label is that of the connection, whatever the process is now.
  @Test func theLabelOfTheConnectionIsEvidence() throws {
    let seen = try seen(nil, label: Array("snap.example.app (enforce)".utf8))
    let peer = try Peer(seen, digests: ProgramDigests())
    #expect(peer.evidence.contains(AgentEvidence(.label, "snap.example.app (enforce)")))
  }

  @Test func anAnswerIsRead() throws {
    var answer = BusMessage(
      .reply,
      [
        .properties([
          "UnixUserID": .uint32(1000), "ProcessID": .uint32(17), "ProcessFD": .descriptor(0),
          "LinuxSecurityLabel": .bytes(Array("label\0".utf8)),
        ])
      ])
    answer.descriptors = 1
    let file = OpenDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
    let credentials = try #require(BusCredentials(answer, file))
    #expect(credentials.user == 1000 && credentials.process == 17)
    #expect(credentials.label == Array("label".utf8))
    #expect(credentials.descriptor === file)
  }

  @Test func anAnswerWithoutAUserIsNone() {
    let answer = BusMessage(.reply, [.properties(["ProcessID": .uint32(17)])])
    #expect(BusCredentials(answer, nil) == nil)
  }

  /// A descriptor that came with an answer that does not speak of it is not that of the process.
  @Test func aDescriptorThatIsNotNamedIsNotTheProcess() throws {
    var answer = BusMessage(.reply, [.properties(["UnixUserID": .uint32(1000)])])
    answer.descriptors = 1
    let file = OpenDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC))
    #expect(try #require(BusCredentials(answer, file)).descriptor == nil)
  }
}
