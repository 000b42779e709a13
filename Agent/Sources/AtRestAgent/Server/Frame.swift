import AtRestKeychain
import AtRestCrypto
import CAtRestPeer
import NIOCore

/// A message with its length before it, as both protocols of the agent have it.
enum Frame {
  static let lengthSize = 4

  /// Takes the next message out of a buffer. Returns nil if it is not complete yet.
  ///
  /// - Parameter largest: The size of the largest message. A larger one is refused as soon as its
  ///   length is known.
  /// - Throws: ``AtRestError/Code/damaged`` for an empty or a larger message.
  static func next(in buffer: inout ByteBuffer, largest: Int) throws -> AgentSecret? {
    guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt32.self) else {
      return nil
    }
    guard length > 0, length <= largest else {
      throw AtRestError(
        .damaged, "A message claims \(length) bytes, but 1 to \(largest) are allowed.",
        remedy: "Use the protocol that docs/Agent.md describes.")
    }
    guard buffer.readableBytes >= lengthSize + Int(length) else { return nil }
    buffer.moveReaderIndex(forwardBy: lengthSize)
    let message = buffer.readWithUnsafeReadableBytes { bytes in
      let message = UnsafeRawBufferPointer(rebasing: bytes[..<Int(length)])
      return (message.count, AgentSecret(SecretBytes(copying: message)))
    }
    erase(&buffer, upTo: buffer.readerIndex)
    return message
  }

  /// Overwrites the first bytes of a buffer.
  static func erase(_ buffer: inout ByteBuffer, upTo count: Int) {
    buffer.withVeryUnsafeMutableBytes { bytes in
      if let start = bytes.baseAddress { atrest_agent_erase(start, min(count, bytes.count)) }
    }
  }
}
