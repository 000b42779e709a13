import CAtRestSystem
import Foundation
import Synchronization

/// Memory for secrets: locked against swapping, left out of core dumps, and filled with zeros in a
/// process that is forked from this one (Linux 4.14 and later).
///
/// Slots of power-of-two sizes are taken from 64 KiB chunks. One page per secret would soon reach
/// the system's limit on locked memory (8 MiB on most systems).
package enum LockedMemory {
  private static let chunkSize = 65_536
  private static let smallestSlot = 32

  private struct State: ~Copyable {
    var free: [[UnsafeMutableRawPointer]] = Array(repeating: [], count: 12)
    var allLocked = true
  }
  // A pointer is either in the pool or with a single owner, and changes hands under the lock.
  private struct Pool: ~Copyable, @unchecked Sendable {
    var state = State()
  }
  private static let pool = Mutex(Pool())

  /// True if every page so far could be locked, false once the system's limit was reached.
  package static var isLocked: Bool { pool.withLock { $0.state.allLocked } }

  private static func sizeClass(_ count: Int) -> Int {
    var index = 0
    while smallestSlot << index < count { index += 1 }
    return index
  }

  static func allocate(_ count: Int) -> UnsafeMutableRawPointer {
    let index = sizeClass(count)
    return pool.withLock { pool in
      let size = smallestSlot << index
      guard index < pool.state.free.count else { return map(size, &pool.state.allLocked) }
      if let slot = pool.state.free[index].popLast() { return slot }
      let chunk = map(chunkSize, &pool.state.allLocked)
      for offset in stride(from: size, to: chunkSize, by: size) {
        pool.state.free[index].append(chunk + offset)
      }
      return chunk
    }
  }

  static func release(_ pointer: UnsafeMutableRawPointer, _ count: Int) {
    let index = sizeClass(count)
    atrest_erase(pointer, count)
    pool.withLock { pool in
      if index < pool.state.free.count {
        pool.state.free[index].append(pointer)
      } else {
        munmap(pointer, smallestSlot << index)
      }
    }
  }

  private static func map(_ size: Int, _ allLocked: inout Bool) -> UnsafeMutableRawPointer {
    #if canImport(Darwin)
      let flags = MAP_PRIVATE | MAP_ANON
    #else
      let flags = MAP_PRIVATE | MAP_ANONYMOUS
    #endif
    guard let pointer = mmap(nil, size, PROT_READ | PROT_WRITE, flags, -1, 0),
      pointer != MAP_FAILED
    else { fatalError("Out of memory for secrets (\(size) bytes).") }
    if mlock(pointer, size) != 0 { allLocked = false }
    #if os(Linux) || os(Android)
      _ = madvise(pointer, size, Int32(MADV_DONTDUMP))
      // Older kernels do not support this advice.
      _ = madvise(pointer, size, Int32(MADV_WIPEONFORK))
    #endif
    return pointer
  }
}
