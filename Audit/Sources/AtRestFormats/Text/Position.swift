/// A place in a file as editors and compilers count: both from 1, columns in UTF-8 bytes.
public struct Position: Comparable, Hashable, Codable, Sendable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (left: Position, right: Position) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
