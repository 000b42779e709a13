#if os(Linux) || os(Android)
  import Foundation

  extension BootClock {
    static func bootIdentifier() -> Data {
      let path = "/proc/sys/kernel/random/boot_id"
      return identifier(from: (try? String(contentsOfFile: path, encoding: .utf8)) ?? "")
    }

    static func secondsSinceBoot() -> UInt64 {
      var time = timespec()
      guard clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return 0 }
      return UInt64(max(0, time.tv_sec))
    }
  }
#endif
