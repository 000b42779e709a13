import CAtRestPeer
import Foundation
import NIOCore

/// A socket that takes and gives descriptors together with bytes. It belongs to one event loop.
final class PassingSocket {
  /// The bytes that are received at once: of the bus, and of a client.
  static let part = 16 << 10
  static let smallPart = 4 << 10

  /// The result of a look for bytes.
  enum Received {
    case nothing
    case end
    case bytes(ByteBuffer, [Int32], isCut: Bool)
  }

  private struct Waiting {
    var message: PassedMessage
    let promise: EventLoopPromise<Void>?
  }

  private let file: OpenDescriptor
  private let loop: any EventLoop
  private var watch: Readiness.Watch?
  private var waiting = CircularBuffer<Waiting>()
  private var wantsBytes = false
  /// The bytes and descriptors that wait to be sent.
  private(set) var count = 0
  private(set) var descriptors = 0
  /// Called when bytes may have arrived, after ``awaitBytes()``, and after the end.
  private var whenReady: (() -> Void)?
  /// Called when messages were sent that had to wait.
  private var whenSent: (() -> Void)?
  /// Called with a message that the system did not take.
  private var whenDropped: ((PassedMessage) -> Void)?

  /// Takes over a connected socket. Its owner calls ``end()``, which breaks the circle of references.
  init(_ file: OpenDescriptor, on loop: any EventLoop) {
    (self.file, self.loop) = (file, loop)
    let bound = NIOLoopBound(self, eventLoop: loop)
    watch = Readiness.shared.watch(file.number) {
      loop.execute { bound.value.advance() }
    }
  }

  func whenReady(_ body: @escaping () -> Void) { whenReady = body }
  func whenSent(_ body: @escaping () -> Void) { whenSent = body }
  func whenDropped(_ body: @escaping (PassedMessage) -> Void) { whenDropped = body }

  /// Ends the use of the socket. What waits is dropped.
  func end() {
    watch?.end()
    (watch, whenReady, whenSent, whenDropped) = (nil, nil, nil, nil)
    drop()
  }

  private func drop() {
    let dropped = waiting
    (waiting, wantsBytes, count, descriptors) = ([], false, 0, 0)
    for message in dropped { message.promise?.fail(ChannelError.ioOnClosedChannel) }
  }

  private func advance() {
    guard watch != nil else { return }
    let had = waiting.count
    flush()
    if waiting.count < had { whenSent?() }
    if wantsBytes {
      wantsBytes = false
      whenReady?()
    }
    wait()
  }

  private func wait() {
    guard let watch, wantsBytes || !waiting.isEmpty else { return }
    if !watch.arm(reads: wantsBytes, writes: !waiting.isEmpty) { fail() }
  }

  private func fail() {
    drop()
    // Its owner learns of it by the next look for bytes.
    shutdown(file.number, Int32(SHUT_RDWR))
    let bound = NIOLoopBound(self, eventLoop: loop)
    loop.execute { bound.value.whenReady?() }
  }

  // MARK: Bytes

  /// Has ``whenReady(_:)`` called once when bytes have arrived.
  func awaitBytes() {
    wantsBytes = true
    wait()
  }

  /// Receives what has arrived, up to a number of bytes.
  func receive(atMost most: Int) -> Received {
    guard watch != nil else { return .nothing }
    var buffer = ByteBufferAllocator().buffer(capacity: most)
    var numbers = [Int32](repeating: -1, count: DescriptorQueue.most)
    var (number, isCut) = (numbers.count, Int32(0))
    let got = buffer.withUnsafeMutableWritableBytes { bytes in
      atrest_receive_passed(
        file.number, bytes.baseAddress!, most, &numbers, &number, &isCut)
    }
    guard got > 0 else { return got < 0 && errno == EAGAIN ? .nothing : .end }
    buffer.moveWriterIndex(to: got)
    return .bytes(buffer, Array(numbers[..<number]), isCut: isCut != 0)
  }

  /// Sends a message when those before it are sent.
  ///
  /// - Parameter promise: Succeeds when all of it was sent.
  func send(_ message: PassedMessage, promise: EventLoopPromise<Void>? = nil) {
    guard watch != nil else { return promise?.fail(ChannelError.ioOnClosedChannel) ?? () }
    waiting.append(Waiting(message: message, promise: promise))
    count += message.bytes.readableBytes
    descriptors += message.descriptors.count
    if waiting.count == 1 { flush() }
    wait()
  }

  private func flush() {
    while var next = waiting.first {
      let numbers = next.message.descriptors.map(\.file.number)
      let sent = next.message.bytes.withUnsafeReadableBytes { bytes in
        atrest_send_passed(
          file.number, bytes.baseAddress!, bytes.count, numbers, numbers.count)
      }
      guard sent > 0 else {
        let error = sent < 0 ? errno : 0
        // The user has too many descriptors that nobody received yet, whoever sent them. Nothing of the message was sent.
        if error == ETOOMANYREFS, !numbers.isEmpty {
          waiting.removeFirst()
          count -= next.message.bytes.readableBytes
          descriptors -= numbers.count
          next.promise?.succeed()
          whenDropped?(next.message)
          continue
        }
        if error != EAGAIN { fail() }
        return
      }
      count -= sent
      descriptors -= numbers.count
      let rest = next.message.bytes.getSlice(
        at: next.message.bytes.readerIndex + sent, length: next.message.bytes.readableBytes - sent)
      if let rest, rest.readableBytes > 0 {
        next.message = PassedMessage(bytes: rest, held: next.message.held)
        waiting[waiting.startIndex] = next
      } else {
        waiting.removeFirst()
        next.promise?.succeed()
      }
    }
  }
}
