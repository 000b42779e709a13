import Foundation

/// The state of a device's biometry.
public enum BiometryState: Hashable, Sendable {
  /// The device has no biometry reader, or no finger or face is enrolled.
  case unavailable
  /// Biometry is enrolled. The bytes change whenever the enrolment changes.
  case enrolled(Data)
}
