import CAtRestSystem
import Crypto
import Foundation

/// Seals and opens the chunks of one stream under one key: AES-256-GCM in the STREAM construction
/// (Hoang, Reyhanitabar, Rogaway, Vizár 2015).
///
/// A chunk is ciphertext ‖ tag (16 bytes). Its nonce is the counter (8 bytes), three zero bytes,
/// and a byte that marks the last chunk of the stream. The associated data is the index of the
/// chunk in the stream (8 bytes). A chunk therefore opens only at its own place, and truncation is
/// detected, because a truncated stream has no last chunk.
///
/// Never seal two chunks with the same counter. A cipher is safe to use from several threads.
package final class ChunkCipher: Sendable {
  /// The number of bytes by which a sealed chunk is longer than its contents.
  package static let overhead = 16
  /// The number of bytes in front of a sealed chunk that ``open(_:place:into:)`` overwrites.
  package static let headroom = 12

  /// The place of a chunk in its stream.
  package struct Place: Sendable {
    /// A number that no other chunk sealed under the key has.
    package var counter: UInt64
    /// The position in the stream, from 0.
    package var index: UInt64
    package var isLast: Bool

    package init(counter: UInt64, index: UInt64, isLast: Bool) {
      self.counter = counter
      self.index = index
      self.isLast = isLast
    }

    var nonce: AES.GCM.Nonce {
      get throws {
        try withUnsafeTemporaryAllocation(byteCount: ChunkCipher.headroom, alignment: 8) {
          write(to: $0)
          return try AES.GCM.Nonce(data: UnsafeRawBufferPointer($0))
        }
      }
    }

    func write(to nonce: UnsafeMutableRawBufferPointer) {
      nonce.storeBytes(of: counter.bigEndian, as: UInt64.self)
      nonce.storeBytes(of: UInt32(isLast ? 1 : 0).bigEndian, toByteOffset: 8, as: UInt32.self)
    }

    var associatedData: [UInt8] { withUnsafeBytes(of: index.bigEndian) { Array($0) } }
  }

  // swift-crypto erases the key when the last reference is released.
  private let key: SymmetricKey

  package init(_ key: borrowing SecretBytes) { self.key = key.symmetricKey() }

  /// Seals a chunk into memory that is 16 bytes longer than the plaintext.
  package func seal(
    _ plaintext: UnsafeRawBufferPointer, place: Place,
    into sealed: UnsafeMutableRawBufferPointer
  ) throws {
    try Remains.erased(after: .gcm) {
      let box = try AES.GCM.seal(
        plaintext, using: key, nonce: place.nonce, authenticating: place.associatedData)
      // Nonce, ciphertext and tag are contiguous, so one copy suffices.
      (box.combined ?? Data()).withUnsafeBytes {
        sealed.copyMemory(from: .init(rebasing: $0[Self.headroom...]))
      }
    }
  }

  /// Opens a chunk that is preceded by 12 bytes of headroom. `plaintext` must be 28 bytes shorter
  /// than `sealed`.
  ///
  /// - Returns: False if the chunk was modified, moved, or sealed under another key. `plaintext` is
  ///   unchanged in that case.
  package func open(
    _ sealed: UnsafeMutableRawBufferPointer, place: Place,
    into plaintext: UnsafeMutableRawBufferPointer
  ) -> Bool {
    place.write(to: sealed)
    return Remains.erased(after: .gcm) {
      guard
        let box = try? AES.GCM.SealedBox(combined: UnsafeRawBufferPointer(sealed)),
        var opened = try? AES.GCM.open(box, using: key, authenticating: place.associatedData)
      else { return false }
      opened.withUnsafeMutableBytes { bytes in
        plaintext.copyMemory(from: UnsafeRawBufferPointer(bytes))
        if let start = bytes.baseAddress { atrest_erase(start, bytes.count) }
      }
      return true
    }
  }
}
