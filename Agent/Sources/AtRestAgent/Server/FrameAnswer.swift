@_spi(Tools) import AtRestKeychain

/// The answer to a request.
struct FrameAnswer: Sendable {
  let bytes: AgentSecret
  /// The number of locks of the store before the request, if the answer must not be sent after another
  /// one.
  var locks: UInt64?
  /// Called when the client was sent the answer.
  var whenSent: (@Sendable () -> Void)?
}
