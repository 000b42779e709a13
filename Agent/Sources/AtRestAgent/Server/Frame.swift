import AtRestKeychain
import CAtRestPeer
import NIOCore

/// A message with its length before it, as both protocols of the agent have it.
enum Frame {
  static let lengthSize = 4

  /// Writes a secret to a connection, and overwrites SwiftNIO's copy of it when it is sent.
  ///
  /// - Parameter prefix: True to write the length before it.
  /// - Returns: The end of the write.
  static func write(
    _ secret: AgentSecret, lengthFirst prefix: Bool, to context: ChannelHandlerContext
  ) -> EventLoopFuture<Void> {
    let count = secret.bytes.count
    var message = context.channel.allocator.buffer(capacity: lengthSize + count)
    if prefix { message.writeInteger(UInt32(count)) }
    secret.bytes.withUnsafeBytes { _ = message.writeBytes($0) }
    let written = context.writeAndFlush(NIOAny(message))
    written.whenComplete { [message] _ in erase(message) }
    return written
  }

  /// Overwrites the readable bytes of a buffer in place. A mutable access would overwrite a copy of
  /// them if SwiftNIO still has a reference to the buffer.
  static func erase(_ buffer: ByteBuffer) { buffer.withUnsafeReadableBytes { erase($0) } }

  /// Overwrites bytes.
  static func erase(_ bytes: UnsafeRawBufferPointer) {
    if let start = bytes.baseAddress {
      atrest_agent_erase(UnsafeMutableRawPointer(mutating: start), bytes.count)
    }
  }
}
