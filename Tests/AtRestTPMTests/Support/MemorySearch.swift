#if os(Linux)
  import AtRestCrypto
  import Foundation

  /// Searches the writable memory of this process for a pattern.
  ///
  /// The pattern and the buffer are in shared pages, and only private ones are searched. Otherwise the
  /// buffer of a search in another thread, which has read the secret too, would count as a copy.
  final class MemorySearch {
    private static let chunkCount = 1 << 20
    private static let size = chunkCount + 4096
    private let pages: UnsafeMutableRawPointer
    private let count: Int

    private var chunk: UnsafeMutableRawPointer { pages + 4096 }

    init(for pattern: borrowing SecretBytes) throws {
      let pages = mmap(
        nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
      guard let pages, pages != MAP_FAILED else { throw CocoaError(.fileReadUnknown) }
      self.pages = pages
      count = pattern.count
      pattern.withUnsafeBytes { pages.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }

    deinit { munmap(pages, Self.size) }

    func occurrences() throws -> Int {
      let descriptor = open("/proc/self/mem", O_RDONLY)
      guard descriptor >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(descriptor) }
      return try Self.maps().split(separator: "\n").filter { $0.contains(" rw-p ") }.reduce(0) {
        sum, line in
        let limits = line.prefix { $0 != " " }.split(separator: "-").compactMap {
          UInt($0, radix: 16)
        }
        return sum + occurrences(in: limits[0]..<limits[1], descriptor)
      }
    }

    /// The kernel does not tell the size of this file, and gives one page of it at a time.
    private static func maps() throws -> String {
      let descriptor = open("/proc/self/maps", O_RDONLY)
      guard descriptor >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(descriptor) }
      var data = Data()
      var buffer = [UInt8](repeating: 0, count: 4096)
      while case let got = read(descriptor, &buffer, buffer.count), got > 0 {
        data.append(contentsOf: buffer[..<got])
      }
      return String(decoding: data, as: UTF8.self)
    }

    private func occurrences(in range: Range<UInt>, _ descriptor: Int32) -> Int {
      var found = 0
      var start = range.lowerBound
      while start < range.upperBound {
        let wanted = min(Self.chunkCount, Int(range.upperBound - start))
        let read = max(0, pread(descriptor, chunk, wanted, off_t(start)))
        if read >= count { found += occurrences(inChunkOf: read) }
        let end = start + UInt(read)
        if read < wanted {
          // Another thread unmapped the page here meanwhile. The kernel shows neighbouring mappings as
          // one, so others may follow.
          start = (end / 4096 + 1) * 4096
        } else if end < range.upperBound {
          // A match across two chunks is found in the second.
          start = end - UInt(count - 1)
        } else {
          break
        }
      }
      return found
    }

    private func occurrences(inChunkOf read: Int) -> Int {
      var found = 0
      var next = chunk
      let end = chunk + (read - count + 1)
      let first = Int32(pages.load(as: UInt8.self))
      while next < end, let hit = memchr(next, first, end - next) {
        if memcmp(hit, pages, count) == 0 { found += 1 }
        next = hit + 1
      }
      return found
    }
  }
#endif
