#if os(Linux)
  import CAtRestTracer
  import Foundation

  /// 16 bytes that must not be found, with the name of their source.
  public struct Needle {
    public static let count = 16

    package let name: String
    package let bytes: [UInt8]

    /// Creates a needle of 16 bytes.
    public init(name: String, bytes: [UInt8]) {
      self.name = name
      self.bytes = bytes
    }
  }

  /// Searches everything that a process can have written: its memory, and the stacks and registers
  /// of its threads.
  public struct SearchedMemory {
    private let needles: [Needle]
    /// The needles by their first two bytes: those of a pair are between one start and the next.
    private let starts: [Int32]
    private let order: [Int32]

    public init(_ needles: [Needle]) {
      self.needles = needles
      func pair(_ needle: Needle) -> Int { Int(needle.bytes[0]) << 8 | Int(needle.bytes[1]) }
      var starts = [Int32](repeating: 0, count: 65_537)
      for needle in needles { starts[pair(needle) + 1] += 1 }
      for index in 1...65_536 { starts[index] += starts[index - 1] }
      self.starts = starts
      order = needles.indices.sorted { pair(needles[$0]) < pair(needles[$1]) }.map { Int32($0) }
    }

    /// The writable memory and the registers of a process at one time.
    public final class Copy {
      fileprivate var parts: [(place: String, bytes: UnsafeRawBufferPointer)] = []
      deinit { for part in parts { part.bytes.deallocate() } }
    }

    /// Copies the memory and the registers of a process.
    public static func copy(of process: Int32) throws -> Copy {
      let copy = Copy()
      let maps = try Self.maps(of: process)
      let file = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(file) }
      for line in maps.split(separator: "\n") {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
        // Regions that are not writable contain nothing that the process wrote.
        guard words[1].hasPrefix("rw"), ends.count == 2 else { continue }
        let place = words.count > 5 ? String(words[5].split(separator: "/").last!) : "anonymous"
        let size = Int(ends[1] - ends[0])
        let region = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
        var count = 0
        while count < size {
          let more = pread(
            file, region.baseAddress! + count, size - count, off_t(ends[0]) + off_t(count))
          if more <= 0 { break }
          count += more
        }
        copy.parts.append((place, UnsafeRawBufferPointer(start: region.baseAddress, count: count)))
      }
      let registers = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 16)
      let count = atrest_thread_registers(process, registers.baseAddress!, registers.count)
      copy.parts.append(
        ("registers", UnsafeRawBufferPointer(start: registers.baseAddress, count: max(0, count))))
      guard count > 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      return copy
    }

    /// Returns the needles found in a process, each with the names of its locations. The process
    /// waits meanwhile.
    public func found(in process: Int32) throws -> [String: [String]] {
      found(in: try Self.copy(of: process))
    }

    /// Returns the needles found in a copy, each with the names of its locations.
    public func found(in copy: Copy) -> [String: [String]] {
      var found: [String: [String]] = [:]
      for (place, bytes) in copy.parts { scan(bytes) { found[$0, default: []].append(place) } }
      return found
    }

    /// Returns the regions of a process. The kernel returns a page at a time and no size, so the
    /// file is read to its end.
    package static func maps(of process: Int32) throws -> String {
      let file = open("/proc/\(process)/maps", O_RDONLY | O_CLOEXEC)
      guard file >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(file) }
      var text: [UInt8] = []
      var page = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(file, &page, page.count)
        if count <= 0 { return String(decoding: text, as: UTF8.self) }
        text += page[0..<count]
      }
    }

    private func scan(_ bytes: UnsafeRawBufferPointer, _ hit: (String) -> Void) {
      guard bytes.count >= Needle.count else { return }
      let (start, last) = (bytes.baseAddress!, bytes.count - Needle.count)
      starts.withUnsafeBufferPointer { starts in
        var index = 0
        while index <= last {
          defer { index += 1 }
          // Most pages are zero, and no needle begins with so many zeros.
          if bytes[index] == 0, last - index >= 4_096,
            memcmp(start + index, start + index + 1, 4_096) == 0
          {
            index += 4_095
            continue
          }
          let pair = Int(bytes[index]) << 8 | Int(bytes[index + 1])
          guard starts[pair] < starts[pair + 1] else { continue }
          for place in starts[pair]..<starts[pair + 1] {
            let needle = needles[Int(order[Int(place)])]
            if bytes[index..<index + Needle.count].elementsEqual(needle.bytes) { hit(needle.name) }
          }
        }
      }
    }
  }
#endif
