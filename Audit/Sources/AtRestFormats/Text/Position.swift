/// A position in a file as editors and compilers count: from 1, with columns in UTF-8 bytes.
public struct Position: Comparable, Hashable, Codable, Sendable {
  public let line: Int
  public let column: Int

  /// Creates a position. Both numbers count from 1.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: Position, right: Position) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
