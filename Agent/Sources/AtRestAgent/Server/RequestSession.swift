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

  func isSlow(_ request: UnsafeRawBufferPointer) -> Bool {
    // Operations that try a passcode.
    request.count > 1 && [2, 9, 10].contains(request[1])
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
