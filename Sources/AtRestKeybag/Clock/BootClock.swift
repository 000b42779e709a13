import Foundation

/// The clock that delays after wrong passcodes follow: it runs from the start of the system, through
/// sleep too, and nobody sets it.
package struct BootClock: Sendable {
  /// What the clock shows at one moment.
  package struct Reading: Sendable {
    /// Identifies the run of the system since it started, 16 bytes.
    package var boot: Data
    /// Seconds since the system started.
    package var seconds: UInt64
    /// Seconds since 1970 by the wall clock, for information only.
    package var date: UInt64

    package init(boot: Data, seconds: UInt64, date: UInt64) {
      self.boot = boot
      self.seconds = seconds
      self.date = date
    }
  }

  /// Reads the clock.
  package let now: @Sendable () -> Reading

  package init(now: @escaping @Sendable () -> Reading) { self.now = now }

  /// The system's clock.
  package static let system = BootClock {
    Reading(
      boot: bootIdentifier(), seconds: secondsSinceBoot(),
      date: UInt64(max(0, Date().timeIntervalSince1970)))
  }

  /// Sixteen bytes from the hexadecimal digits of a UUID, or zeros if there are none. With zeros
  /// every boot looks like the same one, and a restart begins a running delay again.
  static func identifier(from text: String) -> Data {
    UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)).map { identifier in
      withUnsafeBytes(of: identifier.uuid) { Data($0) }
    } ?? Data(count: 16)
  }
}
