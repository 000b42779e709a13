import CAtRestDatabase
import Dispatch
import Foundation
import Synchronization

/// Seals the frames that a transaction adds to a log, on several processors if there are many.
struct LogFrameSealer {
  private static let headerSize = Int(ATREST_FRAME_HEADER_SIZE)
  /// The number of frames that a thread takes at once. Threads that start late take fewer of them.
  private static let share = 4

  private let cipher: PageCipher

  init(_ cipher: PageCipher) { self.cipher = cipher }

  /// Replaces the page of each frame with the sealed page.
  ///
  /// - Parameter frames: The frames: a header that begins with the page number, and a page.
  /// - Throws: The error of the cipher. The frames then contain plaintext.
  func seal(_ frames: UnsafeMutableRawBufferPointer) throws {
    let size = Self.headerSize + cipher.format.pageSize
    let count = frames.count / size
    guard count >= 2 * Self.share else { return try seal(frames, 0..<count, size: size) }
    // Each share has frames of its own.
    nonisolated(unsafe) let frames = frames
    let failure = Mutex<(any Error)?>(nil)
    DispatchQueue.concurrentPerform(iterations: (count + Self.share - 1) / Self.share) { turn in
      do {
        try seal(frames, turn * Self.share..<min((turn + 1) * Self.share, count), size: size)
      } catch {
        failure.withLock { $0 = error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }

  private func seal(
    _ frames: UnsafeMutableRawBufferPointer, _ range: Range<Int>, size: Int
  ) throws {
    for index in range {
      let frame = UnsafeMutableRawBufferPointer(rebasing: frames[index * size..<(index + 1) * size])
      let number = UInt32(bigEndian: frame.loadUnaligned(as: UInt32.self))
      let page = UnsafeMutableRawBufferPointer(rebasing: frame[Self.headerSize...])
      try cipher.seal(number, UnsafeRawBufferPointer(page), into: page)
    }
  }
}
