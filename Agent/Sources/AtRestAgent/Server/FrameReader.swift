import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import CAtRestPeer
import NIOCore

/// Collects the bytes of a connection, and takes messages out of them.
///
/// It overwrites every copy of the bytes as soon as it needs it no longer, also those in SwiftNIO's
/// buffers.
struct FrameReader: ~Copyable {
  /// The size up to which a connection has its memory from no budget.
  private static let free = 4 << 10

  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var start = 0
  private var end = 0
  private let budget: Budget?
  private let holder: Holder
  /// The bytes that are taken from the budget.
  private var taken = 0

  /// - Parameter budget: The memory of all connections together, or nil for no limit.
  init(_ budget: Budget? = nil, for holder: Holder = Holder(user: 0, process: 0)) {
    (self.budget, self.holder) = (budget, holder)
  }

  deinit {
    Frame.erase(UnsafeRawBufferPointer(memory))
    memory.deallocate()
    if taken > 0 { budget?.give(taken, for: holder) }
  }

  /// The number of bytes that are not taken yet.
  var count: Int { end - start }

  /// Adds bytes, and overwrites the original.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if there is no memory for them.
  mutating func append(_ part: ByteBuffer) throws {
    defer { Frame.erase(part) }
    try part.withUnsafeReadableBytes { bytes in
      try makeRoom(for: bytes.count)
      guard !bytes.isEmpty else { return }
      UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
      end += bytes.count
    }
  }

  private mutating func makeRoom(for more: Int) throws {
    if memory.count - end >= more { return }
    // A buffer of its own size, because a client that sends little should cost little.
    let size = max(count + more, count > 0 ? 2 * count : 0, 256)
    if let budget, size > Self.free {
      guard budget.take(size - taken, for: holder) else { throw AtRestError.shareIsUsedUp }
      taken = size
    }
    let next = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    next.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
    Frame.erase(UnsafeRawBufferPointer(memory))
    memory.deallocate()
    memory = next
    (start, end) = (0, end - start)
  }

  /// Takes the next message. Returns nil if it is not complete yet.
  ///
  /// - Parameter measure: Returns the size of the message with which bytes begin, or nil while it is not known.
  /// - Throws: The error of the closure.
  mutating func next(
    _ measure: (UnsafeRawBufferPointer) throws -> FrameSize?
  ) throws -> AgentSecret? {
    guard count > 0,
      let size = try measure(UnsafeRawBufferPointer(rebasing: memory[start..<end])),
      count >= size.prefix + size.length
    else { return nil }
    let whole = memory[start..<start + size.prefix + size.length]
    let message = AgentSecret(
      SecretBytes(copying: UnsafeRawBufferPointer(rebasing: whole.dropFirst(size.prefix))))
    Frame.erase(UnsafeRawBufferPointer(rebasing: whole))
    start += whole.count
    if start == end { makeEmpty() }
    return message
  }

  private mutating func makeEmpty() {
    (start, end) = (0, 0)
    guard memory.count > Self.free else { return }
    memory.deallocate()
    memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    if taken > 0 { budget?.give(taken, for: holder) }
    taken = 0
  }
}
