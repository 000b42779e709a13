import AtRestKeychain

/// A protocol of requests and answers, each of which is one frame.
protocol FrameService: Sendable {
  /// The size of the largest request.
  var largest: Int { get }
  /// Makes the state of a new connection.
  func makeSession(_ peer: Peer) -> any FrameSession
}

/// The state of a connection. It answers one request at a time.
protocol FrameSession: AnyObject, Sendable {
  /// Returns how long the answer takes.
  func work(for request: UnsafeRawBufferPointer) -> FrameWork
  /// Answers a request.
  func answer(_ request: UnsafeRawBufferPointer) -> AgentSecret
  /// Answers a request that has no valid frame. The connection ends afterwards.
  func refusal(_ error: any Error) -> AgentSecret?
}
