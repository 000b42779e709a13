import AtRestKeychain
import AtRestCrypto
import CAtRestPeer
import NIOCore

/// Collects the bytes of a connection, and takes messages out of them.
///
/// It overwrites every copy of the bytes as soon as it needs it no longer, also those in SwiftNIO's
/// buffers.
struct FrameReader: ~Copyable {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var start = 0
  private var end = 0

  deinit {
    Frame.erase(UnsafeRawBufferPointer(memory))
    memory.deallocate()
  }

  /// The number of bytes that are not taken yet.
  var count: Int { end - start }

  /// Adds bytes, and overwrites the original.
  mutating func append(_ part: ByteBuffer) {
    part.withUnsafeReadableBytes { bytes in
      makeRoom(for: bytes.count)
      guard !bytes.isEmpty else { return }
      UnsafeMutableRawBufferPointer(rebasing: memory[end...]).copyMemory(from: bytes)
      end += bytes.count
    }
    Frame.erase(part)
  }

  private mutating func makeRoom(for more: Int) {
    if memory.count - end >= more { return }
    // A buffer of its own size, because a client that sends little should cost little.
    let size = max(count + more, count > 0 ? 2 * count : 0, 256)
    let next = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
    next.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[start..<end]))
    Frame.erase(UnsafeRawBufferPointer(memory))
    memory.deallocate()
    memory = next
    (start, end) = (0, end - start)
  }

  /// Takes the next message. Returns nil if it is not complete yet.
  ///
  /// - Parameter largest: The size of the largest message. A larger one is refused as soon as its
  ///   length is known.
  /// - Throws: ``AtRestError/Code/damaged`` for an empty or a larger message.
  mutating func next(largest: Int) throws -> AgentSecret? {
    guard count >= Frame.lengthSize else { return nil }
    let length = Int(
      UInt32(bigEndian: memory.loadUnaligned(fromByteOffset: start, as: UInt32.self)))
    guard length > 0, length <= largest else {
      throw AtRestError(
        .damaged, "A message claims \(length) bytes, but 1 to \(largest) are allowed.",
        remedy: "Use the protocol that docs/Agent.md describes.")
    }
    guard count - Frame.lengthSize >= length else { return nil }
    let taken = memory[start..<start + Frame.lengthSize + length]
    let message = AgentSecret(
      SecretBytes(
        copying: UnsafeRawBufferPointer(rebasing: taken.dropFirst(Frame.lengthSize))))
    Frame.erase(UnsafeRawBufferPointer(rebasing: taken))
    start += taken.count
    if start == end { (start, end) = (0, 0) }
    return message
  }
}
