/// A range of a file. The end is the position after the last character.
public struct Location: Hashable, Codable, Sendable, Comparable {
  /// The path relative to the audited folder, with `/` as the separator.
  public let path: String
  public let start: Position
  public let end: Position

  /// Creates a range of a file.
  public init(path: String, start: Position, end: Position) {
    self.path = path
    self.start = start
    self.end = end
  }

  public static func < (left: Location, right: Location) -> Bool {
    (left.path, left.start, left.end) < (right.path, right.start, right.end)
  }
}
