import AtRestCrypto
@_spi(Tools) import AtRestKeybag
import Foundation

/// A connection to the agent. Calls block until the agent has answered.
///
/// Safe to use from several threads, whose requests are sent one after the other.
@_spi(Tools) public final class AgentConnection: Sendable {
  private let socket: AgentSocket

  /// Connects to the agent at a socket, and learns which store it serves.
  ///
  /// - Throws: ``AtRestError/Code/system`` if no agent answers there;
  ///   ``AtRestError/Code/notPermitted`` if the agent belongs to another user.
  public init(to path: String) throws { socket = try AgentSocket(to: path) }

  package init(over socket: AgentSocket) { self.socket = socket }

  /// The store that the agent serves. Every request is for this store.
  public var store: StoreIdentity { socket.store }

  /// The path of the agent's socket.
  public var path: String { socket.path }

  /// Sends a request and returns the answer.
  ///
  /// - Throws: The agent's refusal; ``AtRestError/Code/system`` if the connection ends.
  @discardableResult
  public func send(_ request: AgentRequest) throws -> AgentResponse {
    let answer = try socket.exchange(request.encoded(for: store))
    let response = try answer.withUnsafeBytes { try AgentResponse(decoding: $0) }
    if case .refused(let error) = response { throw error }
    return response
  }

  /// Sends a request whose answer is a document.
  ///
  /// - Throws: The errors of ``send(_:)``; ``AtRestError/Code/damaged`` for another answer.
  public func document<Value: Decodable>(
    _ request: AgentRequest, as type: Value.Type = Value.self
  ) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard case .document(let data) = try send(request),
      let value = try? decoder.decode(type, from: data)
    else { throw AgentLimits.unexpectedAnswer }
    return value
  }

  /// Sends a request whose answer is a secret.
  ///
  /// - Throws: The errors of ``send(_:)``; ``AtRestError/Code/damaged`` for another answer.
  public func secret(_ request: AgentRequest) throws -> SecretBytes {
    guard case .secret(let secret) = try send(request) else { throw AgentLimits.unexpectedAnswer }
    return secret.bytes.duplicate()
  }
}
