/// The limits of a walk. Parts beyond a limit are skipped and reported.
public struct WalkLimits: Hashable, Sendable {
  /// The maximum number of files in all folders and archives together.
  public var files = 500_000
  /// The maximum depth of nested formats. A property list in a database cell has depth 2.
  public var depth = 8
  /// The maximum size of the unpacked and decoded values of one file, in bytes.
  public var decodedBytesPerFile = 512 << 20
  /// The maximum size of all unpacked and decoded values together, in bytes.
  public var decodedBytes = 8 << 30
  /// The maximum size in bytes of a file in an archive that is opened. Only the raw bytes of larger
  /// files are read.
  public var heldBytes = 48 << 20
  /// The maximum size in bytes of a property list, JSON or XML document that is parsed.
  public var documentBytes = 16 << 20
  /// The maximum number of values of one file, including those of files inside it.
  public var valuesPerFile = 20_000_000
  public var timePerFile = Duration.seconds(120)
  public var time = Duration.seconds(3600)
  public var problems = 10_000
  /// The time in which passphrases are tried on the encrypted databases of a container. Keys are tried at any rate.
  public var passphraseTime = Duration.seconds(20)
  /// The maximum total size of the pictures kept for the report, in bytes.
  public var pictureBytes = 8 << 20

  /// Creates the standard limits.
  public init() {}

  public static let standard = WalkLimits()

  /// The size of a window of raw bytes.
  static let windowBytes = 1 << 20
  /// The overlap of two windows, so that no value is cut in both.
  static let windowOverlap = 4096
  /// The maximum size of a picture that is kept, in bytes.
  static let pictureSize = 256 << 10
}
