#if canImport(Darwin)
  import Foundation

  extension BootClock {
    static func bootIdentifier() -> Data {
      var text = [CChar](repeating: 0, count: 64)
      var count = text.count - 1
      guard sysctlbyname("kern.bootsessionuuid", &text, &count, nil, 0) == 0 else {
        return Data(count: 16)
      }
      return identifier(from: String(cString: text))
    }

    static func isInTimeNamespace() -> Bool { false }

    static func secondsSinceBoot() -> UInt64 {
      // This clock advances while the machine sleeps; CLOCK_UPTIME_RAW does not.
      var time = timespec()
      guard clock_gettime(CLOCK_MONOTONIC_RAW, &time) == 0 else { return 0 }
      return UInt64(max(0, time.tv_sec))
    }
  }
#endif
