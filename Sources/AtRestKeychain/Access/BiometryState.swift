import Foundation

/// The state of a device's biometry.
public enum BiometryState: Hashable, Sendable {
  /// The device has no biometry, or none is enrolled.
  case unavailable
  /// Biometry is enrolled. The bytes change whenever the enrolment does.
  case enrolled(Data)
}
