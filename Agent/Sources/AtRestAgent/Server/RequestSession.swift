import AtRestKeychain
import AtRestCrypto

/// The agent's own protocol.
struct RequestService: FrameService {
  let service: AgentService
  var largest: Int { AgentRequest.largest }

  func makeSession(_ peer: Peer) -> any FrameSession {
    RequestSession(service: service, peer: peer)
  }
}

final class RequestSession: FrameSession {
  private let service: AgentService
  private let peer: Peer

  init(service: AgentService, peer: Peer) {
    self.service = service
    self.peer = peer
  }

  func work(for request: UnsafeRawBufferPointer) -> FrameWork {
    switch request.count > 1 ? request[1] : 0 {
    // Operations that try a passcode.
    case 2, 9, 10: .slow
    case 1: .quick
    // A secret that is read without asking the user comes from memory.
    default: AgentRequest.readsSecret(request) && !service.asksUser ? .quick : .usual
    }
  }

  func answer(_ request: UnsafeRawBufferPointer) -> AgentSecret {
    let response: AgentResponse
    do {
      response = service.answer(try AgentRequest(decoding: request), to: peer)
    } catch {
      response = service.refusal(error, to: peer)
    }
    return AgentSecret(response.encoded())
  }

  func refusal(_ error: any Error) -> AgentSecret? {
    AgentSecret(service.refusal(error, to: peer).encoded())
  }
}
