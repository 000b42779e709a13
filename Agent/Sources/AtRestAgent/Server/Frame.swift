@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import NIOCore

/// A message with its length before it, as the agent's own protocol and that of ssh-agent have it, and the writing
/// of answers.
enum Frame {
  static let lengthSize = 4

  /// Returns the size of a message with its length before it.
  static func size(of bytes: UnsafeRawBufferPointer, largest: Int) throws -> FrameSize? {
    guard bytes.count >= lengthSize else { return nil }
    let length = Int(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
    guard length > 0, length <= largest else {
      throw AtRestError(
        .damaged, "A message claims \(length) bytes, but 1 to \(largest) are allowed.",
        remedy: "Use the protocol that docs/Agent.md describes.")
    }
    return FrameSize(prefix: lengthSize, length: length)
  }

  /// The size of the parts in which an answer is written. Only one of them is copied at a time.
  private static let part = 128 << 10

  /// Writes an answer to a connection, which ends if the store is locked before all of it is sent.
  ///
  /// - Returns: The end of the write, or nil if the answer came too late, because the store was locked meanwhile.
  static func write(
    _ answer: FrameAnswer, on connection: ProtectedConnection, lengthFirst prefix: Bool,
    to context: ChannelHandlerContext
  ) -> EventLoopFuture<Void>? {
    guard let number = answer.locks else {
      return write(answer.bytes, lengthFirst: prefix, to: context)
    }
    guard connection.begin(since: number) else { return nil }
    let written = write(answer.bytes, lengthFirst: prefix, to: context) {
      connection.mayGoOn(since: number)
    }
    written.whenComplete { _ in connection.end() }
    if !connection.keep() { context.close(promise: nil) }
    return written
  }

  /// Writes a secret to a connection, and overwrites SwiftNIO's copies of it when they are sent.
  ///
  /// - Parameters:
  ///   - prefix: True to write the length before it.
  ///   - mayGoOn: Asked before each part but the first. Returns false to end the connection instead.
  /// - Returns: The end of the write.
  static func write(
    _ secret: AgentSecret, lengthFirst prefix: Bool, to context: ChannelHandlerContext,
    while mayGoOn: @escaping @Sendable () -> Bool = { true }
  ) -> EventLoopFuture<Void> {
    let promise = context.eventLoop.makePromise(of: Void.self)
    write(secret, from: 0, lengthFirst: prefix, to: context, promise, mayGoOn)
    return promise.futureResult
  }

  private static func write(
    _ secret: AgentSecret, from start: Int, lengthFirst prefix: Bool,
    to context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>,
    _ mayGoOn: @escaping @Sendable () -> Bool
  ) {
    let count = secret.bytes.count
    let end = min(start + part, count)
    var message = context.channel.allocator.buffer(capacity: lengthSize + end - start)
    if prefix { message.writeInteger(UInt32(count)) }
    secret.bytes.withUnsafeBytes { _ = message.writeBytes($0[start..<end]) }
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    context.writeAndFlush(NIOAny(message)).whenComplete { [message] result in
      erase(message)
      if case .failure(let error) = result { return promise.fail(error) }
      if end == count { return promise.succeed() }
      guard mayGoOn() else {
        bound.value.close(promise: nil)
        return promise.fail(ChannelError.ioOnClosedChannel)
      }
      write(secret, from: end, lengthFirst: false, to: bound.value, promise, mayGoOn)
    }
  }

  /// Overwrites the readable bytes of a buffer in place. A mutable access would overwrite a copy of
  /// them if SwiftNIO still has a reference to the buffer.
  static func erase(_ buffer: ByteBuffer) { buffer.withUnsafeReadableBytes { erase($0) } }

  /// Overwrites bytes.
  static func erase(_ bytes: UnsafeRawBufferPointer) {
    UnsafeMutableRawBufferPointer(mutating: bytes).erase()
  }
}
