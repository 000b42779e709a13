import Foundation

/// Carries requests to a key server.
///
/// ``TLSTransport`` is the one for applications. Conform to this protocol to send requests through a
/// proxy or, in tests, to no server at all.
public protocol KeyServerTransport: Sendable {
  /// Sends a request by POST, and blocks until the answer is there.
  ///
  /// - Parameters:
  ///   - path: The path, such as `/v1/evaluate`.
  ///   - headers: The headers of the request.
  ///   - body: The body, at most 4 KiB.
  /// - Returns: The status of HTTP, and the body.
  /// - Throws: `AtRestError.Code.keyServerOffline` if there is no answer.
  func send(path: String, headers: [(String, String)], body: Data) throws -> (Int, Data)
}
