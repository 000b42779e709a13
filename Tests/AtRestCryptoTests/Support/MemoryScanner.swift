#if os(Linux)
  import Foundation
  import Glibc

  /// Counts how often 32 bytes occur in the memory of this process.
  ///
  /// The pattern and the buffer are in pages of their own, which are left out.
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
          nil, 2 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
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
      let own = UInt(bitPattern: pages)..<UInt(bitPattern: pages) + UInt(size)
      var count = 0
      for line in (try? ProcFile.lines("maps")) ?? [] {
        guard let range = ProcFile.range(line), line.contains(" rw") else { continue }
        // The kernel shows neighbouring mappings as one.
        count += occurrences(in: range.clamped(to: 0..<own.lowerBound))
        count += occurrences(in: range.clamped(to: own.upperBound..<UInt.max))
      }
      return count
    }

    private func occurrences(in range: Range<UInt>) -> Int {
      var count = 0
      var start = range.lowerBound
      while start < range.upperBound {
        let wanted = min(Self.chunkCount, Int(range.upperBound - start))
        // Memory that another thread unmapped meanwhile cannot be read.
        let read = pread(descriptor, chunk, wanted, off_t(start))
        guard read >= Self.needleCount else { return count }
        count += occurrences(inChunkOf: read)
        guard read == wanted, start + UInt(read) < range.upperBound else { return count }
        // A match across two chunks is found in the second.
        start += UInt(read - Self.needleCount + 1)
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
