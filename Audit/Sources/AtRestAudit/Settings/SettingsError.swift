import AtRestFormats

/// A mistake in a line of the settings.
public struct SettingsError: Error, Hashable, Sendable, CustomStringConvertible {
  public let path: String
  public let position: Position
  public let message: String
  /// The text of the line.
  public let line: String

  public var description: String {
    let gutter = String(position.line)
    let blank = String(repeating: " ", count: gutter.utf8.count)
    let caret = String(repeating: " ", count: max(position.column - 1, 0)) + "^"
    return """
      \(path):\(position.line):\(position.column): \(message)
       \(gutter) | \(line)
       \(blank) | \(caret)
      """
  }
}
