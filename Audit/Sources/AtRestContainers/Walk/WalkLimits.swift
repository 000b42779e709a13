/// How much a walk does before it leaves the rest out, and says so.
public struct WalkLimits: Hashable, Sendable {
  /// Files of all folders and archives together.
  public var files = 500_000
  /// Formats within formats: a property list in a cell of a database is two.
  public var depth = 8
  /// What may come out of packed and encoded values of one file, in bytes.
  public var decodedBytesPerFile = 512 << 20
  /// What may come out of packed and encoded values in all, in bytes.
  public var decodedBytes = 8 << 30
  /// The largest file within an archive that is opened; of a larger one only the raw bytes are given.
  public var heldBytes = 48 << 20
  /// The largest property list, JSON or XML that is read as a tree, in bytes.
  public var documentBytes = 16 << 20
  /// Values of one file, all that lies in it included.
  public var valuesPerFile = 20_000_000
  public var timePerFile = Duration.seconds(120)
  public var time = Duration.seconds(3600)
  public var problems = 10_000
  /// Pictures that are kept for the report, in bytes of all of them.
  public var pictureBytes = 8 << 20

  public init() {}

  public static let standard = WalkLimits()

  /// A window of raw bytes.
  static let windowBytes = 1 << 20
  /// What two windows have in common, so that no value is cut in both.
  static let windowOverlap = 4096
  /// The largest picture that is kept, in bytes.
  static let pictureSize = 256 << 10
}
