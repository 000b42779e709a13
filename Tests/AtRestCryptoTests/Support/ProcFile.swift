#if os(Linux)
  import Foundation
  import Glibc

  /// Files of `/proc`, which have no size and are therefore read to their end.
  enum ProcFile {
    static func lines(_ name: String) throws -> [Substring] {
      let descriptor = open("/proc/self/\(name)", O_RDONLY)
      guard descriptor >= 0 else { throw CocoaError(.fileReadNoPermission) }
      defer { close(descriptor) }
      var text = Data()
      var chunk = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(descriptor, &chunk, chunk.count)
        guard count > 0 else { break }
        text.append(contentsOf: chunk.prefix(count))
      }
      return String(decoding: text, as: UTF8.self).split(separator: "\n")
    }

    /// Returns the bounds of the mapping with which a line of `maps` or `smaps` begins, if it does.
    static func range(_ line: Substring) -> Range<UInt>? {
      let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap {
        UInt($0, radix: 16)
      }
      return ends.count == 2 && ends[0] <= ends[1] ? ends[0]..<ends[1] : nil
    }
  }
#endif
