#if os(Linux)
  import Foundation
  import Glibc

  /// Counts how often 32 bytes occur in the memory of this process.
  ///
  /// The pattern and the buffer are in shared pages, and only private ones are searched. Otherwise the
  /// buffer of a search in another thread, which has read the secret too, would count as a copy.
  final class MemoryScanner {
    private static let needleCount = 32
    private static let chunkCount = 1 << 20
    private let pages: UnsafeMutableRawPointer
    private let size = 2 << 20
    private let descriptor: Int32

    private var needle: UnsafeMutableRawPointer { pages }
    private var chunk: UnsafeMutableRawPointer { pages + 4_096 }

    init() throws {
      descriptor = open("/proc/self/mem", O_RDONLY)
      guard descriptor >= 0,
        let pages = mmap(
          nil, 2 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0),
        pages != MAP_FAILED
      else { throw CocoaError(.fileReadNoPermission) }
      self.pages = pages
    }

    deinit {
      munmap(pages, size)
      close(descriptor)
    }

    /// Sets the pattern: the last 32 bytes of a block of memory.
    func look(for bytes: UnsafeRawBufferPointer) {
      let tail = UnsafeRawBufferPointer(rebasing: bytes.suffix(Self.needleCount))
      UnsafeMutableRawBufferPointer(start: needle, count: Self.needleCount).copyMemory(from: tail)
    }

    func occurrences() -> Int {
      var count = 0
      for line in (try? ProcFile.lines("maps")) ?? [] where Self.isPrivateData(line) {
        if let range = ProcFile.range(line) { count += occurrences(in: range) }
      }
      return count
    }

    /// Returns true for a line of `maps` whose memory is writable and private.
    private static func isPrivateData(_ line: Substring) -> Bool {
      line.split(separator: " ").dropFirst().first?.hasPrefix("rw-p") == true
    }

    private func occurrences(in range: Range<UInt>) -> Int {
      var count = 0
      var start = range.lowerBound
      while start < range.upperBound {
        let wanted = min(Self.chunkCount, Int(range.upperBound - start))
        let read = max(0, pread(descriptor, chunk, wanted, off_t(start)))
        if read >= Self.needleCount { count += occurrences(inChunkOf: read) }
        let end = start + UInt(read)
        if read < wanted {
          // Another thread unmapped the page here meanwhile. The kernel shows neighbouring mappings as
          // one, so others may follow.
          start = (end / 4_096 + 1) * 4_096
        } else if end < range.upperBound {
          // A match across two chunks is found in the second.
          start = end - UInt(Self.needleCount - 1)
        } else {
          break
        }
      }
      return count
    }

    private func occurrences(inChunkOf read: Int) -> Int {
      let bytes = UnsafeRawBufferPointer(start: needle, count: Self.needleCount)
      // A byte that is not zero, because most memory is full of zeros.
      let pivot = bytes.firstIndex { $0 != 0 } ?? 0
      var count = 0
      var next = chunk + pivot
      let end = chunk + (read - Self.needleCount + pivot + 1)
      while next < end, let hit = memchr(next, Int32(bytes[pivot]), end - next) {
        if memcmp(hit - pivot, needle, Self.needleCount) == 0 { count += 1 }
        next = hit + 1
      }
      return count
    }
  }
#endif
