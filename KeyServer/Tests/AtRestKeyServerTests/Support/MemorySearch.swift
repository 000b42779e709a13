import AtRestCrypto
import Foundation
import Glibc
import Testing

/// Searches the memory of this process for a secret, of which it keeps a masked copy only.
struct MemorySearch {
  private static let mask: UInt8 = 0xA5
  private let masked: [UInt8]

  init(_ secret: borrowing SecretBytes) {
    masked = secret.withUnsafeBytes { $0.map { $0 ^ Self.mask } }
  }

  /// The number of places where the secret is.
  func count() throws -> Int {
    let size = 1 << 20
    // The copies that the search needs are in mappings of its own, which are not searched.
    let own = mmap(nil, 2 * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)!
    defer {
      memset(own, 0, 2 * size)
      munmap(own, 2 * size)
    }
    let needle = own + size
    for (index, byte) in masked.enumerated() {
      needle.storeBytes(of: byte ^ Self.mask, toByteOffset: index, as: UInt8.self)
    }
    // Foundation reads the first page of a file whose size it does not know, and no more.
    let file = try #require(FileHandle(forReadingAtPath: "/proc/self/maps"))
    let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let memory = open("/proc/self/mem", O_RDONLY)
    defer { close(memory) }
    var count = 0
    for line in maps.split(separator: "\n") where line.contains(" rw") {
      let range = line.prefix { $0 != " " }.split(separator: "-").compactMap { UInt($0, radix: 16) }
      var start = range[0]
      while start < range[1] {
        // Parts overlap by the size of the secret.
        let read = pread(memory, own, min(size, Int(range[1] - start)), off_t(start))
        guard read > 0 else { break }
        count += hits(own, read, needle) { address in
          let place = start + UInt(address)
          return !(UInt(bitPattern: own)..<UInt(bitPattern: own) + UInt(2 * size)).contains(place)
        }
        guard read == size else { break }
        start += UInt(size - masked.count + 1)
      }
    }
    return count
  }

  private func hits(
    _ bytes: UnsafeMutableRawPointer, _ size: Int, _ needle: UnsafeMutableRawPointer,
    _ counts: (Int) -> Bool
  ) -> Int {
    var (count, offset) = (0, 0)
    let first = Int32(needle.load(as: UInt8.self))
    while size - offset >= masked.count,
      let hit = memchr(bytes + offset, first, size - offset - masked.count + 1)
    {
      if memcmp(hit, needle, masked.count) == 0, counts(hit - bytes) { count += 1 }
      offset = hit - bytes + 1
    }
    return count
  }
}
