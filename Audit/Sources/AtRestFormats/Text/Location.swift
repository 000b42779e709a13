/// A range of a file. The end is where the next character would stand.
public struct Location: Hashable, Codable, Sendable, Comparable {
  /// The path below the folder that is audited, with `/` between its parts.
  public let path: String
  public let start: Position
  public let end: Position

  public init(path: String, start: Position, end: Position) {
    self.path = path
    self.start = start
    self.end = end
  }

  public static func < (left: Location, right: Location) -> Bool {
    (left.path, left.start, left.end) < (right.path, right.start, right.end)
  }
}
