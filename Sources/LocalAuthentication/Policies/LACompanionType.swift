// The names are Apple's.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A kind of companion device, near which the user is authenticated. Platforms other than Apple's have
/// none.
public enum LACompanionType: Int, Sendable {
  /// A paired Apple Watch.
  case watch = 1
  /// A paired Mac.
  case mac = 2
  /// A paired Apple Vision Pro.
  case vision = 4
}

/// The value of no companion.
public let kLACompanionTypeNone: Int32 = 0
/// The value of ``LACompanionType/watch``.
public let kLACompanionTypeWatch: Int32 = 1
/// The value of ``LACompanionType/mac``.
public let kLACompanionTypeMac: Int32 = 2
/// The value of ``LACompanionType/vision``.
public let kLACompanionTypeVision: Int32 = 4
