#if os(Linux) || os(Android)
  import CAtRestSystem
  import Foundation

  extension BootClock {
    /// The kernel's identifier. A file that was mounted in its place is not read.
    static func bootIdentifier() -> Data {
      var text = [CChar](repeating: 0, count: 64)
      let count = atrest_read_boot_id(&text, text.count)
      return identifier(
        from: String(
          decoding: text.prefix(max(0, Int(count))).map(UInt8.init(bitPattern:)), as: UTF8.self))
    }

    static func isInTimeNamespace() -> Bool { atrest_is_in_time_namespace() == 1 }

    static func secondsSinceBoot() -> UInt64 {
      var time = timespec()
      guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return 0 }
      return UInt64(max(0, time.tv_sec))
    }
  }
#endif
