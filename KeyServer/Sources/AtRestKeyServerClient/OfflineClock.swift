import Foundation

#if canImport(Glibc)
  import Glibc
#endif

/// The clock by which the time without a key server is limited.
package struct OfflineClock: Sendable {
  /// A moment on the clock that runs since the machine was started, and on the system's clock.
  package struct Reading: Sendable, Equatable {
    /// The identity of this run of the machine, 16 bytes.
    package var boot: Data
    /// Milliseconds since the start, with those asleep.
    package var sinceBoot: UInt64
    /// Milliseconds since 1970 on the system's clock, which can be set.
    package var system: Int64

    package init(boot: Data, sinceBoot: UInt64, system: Int64) {
      self.boot = boot
      self.sinceBoot = sinceBoot
      self.system = system
    }

    /// A clock that is behind by less than this, in milliseconds, is one that was corrected.
    private static let tolerance: Int64 = 60_000

    /// Returns the milliseconds since an earlier reading, or nil if the system's clock was set back
    /// while the machine was off.
    package func milliseconds(since earlier: Reading) -> UInt64? {
      if boot == earlier.boot, sinceBoot >= earlier.sinceBoot {
        return sinceBoot - earlier.sinceBoot
      }
      let (passed, isOverflow) = system.subtractingReportingOverflow(earlier.system)
      guard !isOverflow, passed > -Self.tolerance else { return nil }
      return UInt64(max(0, passed))
    }
  }

  package let now: @Sendable () -> Reading

  package init(now: @escaping @Sendable () -> Reading) { self.now = now }

  /// The clocks of this machine.
  package static let system = OfflineClock {
    Reading(
      boot: bootIdentity, sinceBoot: sinceBoot,
      system: Int64(Date().timeIntervalSince1970 * 1000))
  }

  #if os(Linux)
    private static let bootIdentity: Data = {
      let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
      let uuid = text.flatMap {
        UUID(uuidString: $0.trimmingCharacters(in: .whitespacesAndNewlines))
      }
      // Without an identity each process is like a new run of the machine.
      return withUnsafeBytes(of: (uuid ?? UUID()).uuid) { Data($0) }
    }()

    private static var sinceBoot: UInt64 {
      var time = timespec()
      clock_gettime(CLOCK_BOOTTIME, &time)
      return UInt64(time.tv_sec) * 1000 + UInt64(time.tv_nsec) / 1_000_000
    }
  #else
    private static let bootIdentity = withUnsafeBytes(of: UUID().uuid) { Data($0) }
    private static var sinceBoot: UInt64 {
      UInt64(ProcessInfo.processInfo.systemUptime * 1000)
    }
  #endif
}
