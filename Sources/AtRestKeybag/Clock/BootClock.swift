import Foundation

/// The clock for the delays after wrong passcodes. It runs from the start of the system, advances
/// during sleep, and cannot be set.
package struct BootClock: Sendable {
  /// A reading of the clock at one moment.
  package struct Reading: Sendable {
    /// The identifier of the current boot of the system, 16 bytes.
    package var boot: Data
    /// The number of seconds since the system started.
    package var seconds: UInt64
    /// The number of seconds since 1970 by the wall clock, for information only.
    package var date: UInt64

    /// True if whoever started this process could have set the clock that ``seconds`` comes from: it
    /// runs in a time namespace.
    package var isShifted: Bool

    package init(boot: Data, seconds: UInt64, date: UInt64, isShifted: Bool = false) {
      self.boot = boot
      self.seconds = seconds
      self.date = date
      self.isShifted = isShifted
    }

    /// Returns true unless the two readings are known to be of different boots. An identifier of zeros
    /// is one that could not be read, or that was put in place of the kernel's.
    func mayBeOfSameBoot(as other: Reading) -> Bool {
      boot == other.boot || boot.allSatisfy { $0 == 0 } || other.boot.allSatisfy { $0 == 0 }
    }
  }

  /// Reads the clock.
  package let now: @Sendable () -> Reading

  package init(now: @escaping @Sendable () -> Reading) { self.now = now }

  /// The system's clock.
  package static let system = BootClock {
    Reading(
      boot: bootIdentifier(), seconds: secondsSinceBoot(),
      date: UInt64(max(0, Date().timeIntervalSince1970)), isShifted: isInTimeNamespace())
  }

  /// Returns the 16 bytes of a UUID in hexadecimal, or zeros if the text is not a UUID. With zeros,
  /// all boots look the same, so a restart begins a running delay again.
  static func identifier(from text: String) -> Data {
    UUID(uuidString: text.trimmingCharacters(in: .whitespacesAndNewlines)).map { identifier in
      withUnsafeBytes(of: identifier.uuid) { Data($0) }
    } ?? Data(count: 16)
  }
}
