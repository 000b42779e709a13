import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain

/// The agent's own protocol.
struct RequestService: FrameService {
  let service: AgentService

  func makeSession(_ identity: PeerIdentity) -> any FrameSession {
    RequestSession(service: service, identity: identity)
  }

  func refusal(_ error: AtRestError) -> AgentSecret {
    AgentSecret(AgentResponse.refused(error).encoded())
  }
}

final class RequestSession: FrameSession {
  /// The size of the largest request in which a list of items is looked for.
  private static let largestList = 8 << 10

  private let service: AgentService
  private let identity: PeerIdentity

  init(service: AgentService, identity: PeerIdentity) {
    self.service = service
    self.identity = identity
  }

  func size(of bytes: UnsafeRawBufferPointer) throws -> FrameSize? {
    try Frame.size(of: bytes, largest: AgentRequest.largest)
  }

  func work(for request: UnsafeRawBufferPointer) -> FrameWork {
    guard let operation = request.count > 1 ? AgentOperation(rawValue: request[1]) : nil else {
      return .usual
    }
    switch operation {
    case _ where operation.triesPasscode: return .slow
    case .greeting: return .none
    case .lock: return .lock
    case .status: return .status
    case .log: return .log
    // A secret that is read without asking the user comes from memory.
    case .perform where AgentRequest.readsSecret(request) && !service.asksUser:
      return service.mustRead(identity.peer) ? .usual : .quick
    case .perform where isList(request): return .large
    default: return .usual
    }
  }

  private func isList(_ request: UnsafeRawBufferPointer) -> Bool {
    guard request.count <= Self.largestList,
      case .perform(.items(_, let secrets), _, _)? = try? AgentRequest(
        decoding: request, for: service.identity)
    else { return false }
    return secrets
  }

  func answer(_ request: UnsafeRawBufferPointer) -> FrameAnswer {
    let locks = service.locks
    do {
      if try AgentRequest.isGreeting(request) {
        return FrameAnswer(
          bytes: AgentSecret(AgentResponse.greeting(service.identity).encoded()))
      }
      let request = try AgentRequest(decoding: request, for: service.identity)
      let response = service.answer(request, to: identity.peer)
      // A refusal has nothing that a lock is to protect, and says why.
      var isProtected = request.isReading
      if case .refused = response { isProtected = false }
      return FrameAnswer(
        bytes: AgentSecret(response.encoded()), locks: isProtected ? locks : nil)
    } catch {
      let response = service.refusal(error, to: identity.peer)
      return FrameAnswer(bytes: AgentSecret(response.encoded()))
    }
  }

  func refusal(_ error: any Error) -> AgentSecret? {
    AgentSecret(service.refusal(error, to: identity.peer).encoded())
  }

  func overload(_ error: AtRestError) -> AgentSecret {
    AgentSecret(AgentResponse.refused(error).encoded())
  }

  func withheld() -> AgentSecret {
    AgentSecret(AgentResponse.refused(service.refusalAfterLock).encoded())
  }
}
