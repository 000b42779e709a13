import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

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
    guard let operation = request.count > 1 ? AgentOperation(rawValue: request[1]) : nil else {
      return .usual
    }
    if operation.triesPasscode { return .slow }
    if operation == .status || operation == .greeting { return .quick }
    // A secret that is read without asking the user comes from memory.
    return AgentRequest.readsSecret(request) && !service.asksUser ? .quick : .usual
  }

  func answer(_ request: UnsafeRawBufferPointer) -> AgentSecret {
    let response: AgentResponse
    do {
      if try AgentRequest.isGreeting(request) {
        response = .greeting(service.identity)
      } else {
        response = service.answer(
          try AgentRequest(decoding: request, for: service.identity), to: peer)
      }
    } catch {
      response = service.refusal(error, to: peer)
    }
    return AgentSecret(response.encoded())
  }

  func refusal(_ error: any Error) -> AgentSecret? {
    AgentSecret(service.refusal(error, to: peer).encoded())
  }
}
