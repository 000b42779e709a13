import CAtRestSystem
import Foundation

/// The few chunks of an open file that are in memory as plaintext.
struct ChunkCache: ~Copyable {
  /// One chunk. Its memory is erased when it is released.
  final class Entry {
    let bytes: UnsafeMutableRawBufferPointer
    var count: Int
    /// True if the chunk differs from the stored one.
    var isDirty = false
    var lastUse: UInt64 = 0

    init(capacity: Int, count: Int) {
      bytes = .allocate(byteCount: capacity, alignment: 64)
      self.count = count
    }

    deinit {
      atrest_erase(bytes.baseAddress!, bytes.count)
      bytes.deallocate()
    }

    /// Extends the contents with zeros if they are shorter.
    func fill(to end: Int) {
      guard end > count else { return }
      atrest_erase(bytes.baseAddress! + count, end - count)
      count = end
    }

    var contents: UnsafeMutableRawBufferPointer { .init(rebasing: bytes[..<count]) }
  }

  /// The maximum number of chunks in memory: 768 KiB with the default chunk size.
  static let capacity = 16

  private(set) var entries: [UInt64: Entry] = [:]
  private var uses: UInt64 = 0

  var isFull: Bool { entries.count >= Self.capacity }

  mutating func entry(_ chunk: UInt64) -> Entry? {
    guard let entry = entries[chunk] else { return nil }
    uses += 1
    entry.lastUse = uses
    return entry
  }

  mutating func insert(_ entry: Entry, for chunk: UInt64) {
    uses += 1
    entry.lastUse = uses
    entries[chunk] = entry
  }

  /// Removes and returns the least recently used clean chunk, or returns nil if all chunks are
  /// dirty.
  mutating func evictClean() -> Entry? {
    let clean = entries.filter { !$0.value.isDirty }.min { $0.value.lastUse < $1.value.lastUse }
    guard let clean else { return nil }
    return entries.removeValue(forKey: clean.key)
  }

  var dirty: [(chunk: UInt64, entry: Entry)] {
    entries.filter(\.value.isDirty).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  mutating func removeAll(after last: UInt64) { entries = entries.filter { $0.key <= last } }
  mutating func removeAll() { entries = [:] }
}
