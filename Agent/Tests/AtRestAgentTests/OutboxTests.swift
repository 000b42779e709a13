import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// Messages that a connection sends without being asked.
struct OutboxTests {
  /// A protocol without requests, whose only connection has an outbox.
  private final class Session: FrameService, FrameSession {
    let outbox: Outbox? = Outbox()

    func makeSession(_ identity: PeerIdentity) -> any FrameSession { self }
    func refusal(_ error: AtRestError) -> AgentSecret { AgentRun.secret("refused") }
    func work(for request: UnsafeRawBufferPointer) -> FrameWork { .none }
    func answer(_ request: UnsafeRawBufferPointer) -> FrameAnswer {
      FrameAnswer(bytes: AgentRun.secret("answer"))
    }
    func refusal(_ error: any Error) -> AgentSecret? { nil }
    func withheld() -> AgentSecret { AgentRun.secret("withheld") }
    func overload(_ error: AtRestError) -> AgentSecret { AgentRun.secret("overload") }
    func size(of bytes: UnsafeRawBufferPointer) throws -> FrameSize? {
      try Frame.size(of: bytes, largest: 100)
    }
  }

  @Test func aMessageThatComesDuringAWriteIsSentAfterIt() throws {
    let run = try AgentRun()
    let server = AgentServer(run.service)
    defer { server.stop() }
    let session = Session()
    let path = run.folder.path + "/outbox"
    try server.listen(.path(path), session)
    let client = try RawClient(path)
    client.write(RawClient.frame([1]))
    #expect(client.answer() == Array("answer".utf8))
    // It does not fit into the buffers of the socket, so its write ends when the client has read.
    let size = 2 << 20
    session.outbox?.add(AgentSecret(SecretBytes(Data(repeating: 7, count: size))))
    client.waitForAnswer()
    session.outbox?.add(AgentRun.secret("meanwhile"))
    client.limit(seconds: 60)
    #expect(client.answer()?.count == size)
    #expect(client.answer() == Array("meanwhile".utf8))
  }
}
