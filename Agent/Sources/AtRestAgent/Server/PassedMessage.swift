import NIOCore

/// A message that is passed on between a client and another program. Its bytes are no secrets of the agent.
struct PassedMessage: Sendable {
  let bytes: ByteBuffer
  var descriptors: [PassedDescriptor] = []
  /// The memory for it, or nil if it takes little.
  var held: Budget.Held?
}

/// A descriptor that is passed on. It is closed when the last reference to this object is released.
final class PassedDescriptor: Sendable {
  let file: OpenDescriptor
  /// The place among the descriptors of all clients.
  private let place: Budget.Held

  /// Takes over a descriptor. Returns nil, and closes it, if its receiver has too many.
  init?(_ number: Int32, _ budget: Budget, for holder: Holder) {
    file = OpenDescriptor(number)
    guard let place = budget.hold(1, for: holder) else { return nil }
    self.place = place
  }
}

/// The descriptors that came with bytes, until the messages to which they belong are read.
struct DescriptorQueue: Sendable {
  /// The number of descriptors of one message.
  static let most = 16

  private var waiting: [PassedDescriptor?] = []
  private var isCut = false

  /// Adds those that came, with nil for one that was closed.
  ///
  /// - Parameter isCut: True if more came, so that nobody knows which ones belong to which message.
  mutating func add(_ descriptors: [PassedDescriptor?], isCut: Bool) {
    waiting += descriptors
    self.isCut = self.isCut || isCut || waiting.count > Self.most
    if self.isCut { waiting = [] }
  }

  /// Takes those of the next message. Returns nil if some of them were closed.
  mutating func take(_ count: UInt32) -> [PassedDescriptor]? {
    guard count > 0 else { return [] }
    guard !isCut, count <= waiting.count else {
      waiting = []
      return nil
    }
    let taken = waiting.prefix(Int(count))
    waiting.removeFirst(Int(count))
    let descriptors = taken.compactMap { $0 }
    return descriptors.count == taken.count ? descriptors : nil
  }

  /// Closes what belongs to no message, when there are no bytes of another one.
  mutating func clear() { (waiting, isCut) = ([], false) }
}
