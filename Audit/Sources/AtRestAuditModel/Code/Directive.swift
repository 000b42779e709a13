import AtRestFormats

/// A comment that begins with `atrest:`, in any form of comment:
/// `atrest:ignore log-sensitive reason`.
package struct Directive: Sendable {
  /// The trimmed text after `atrest:`, to the end of the line.
  package let text: String
  package let line: Int
  /// True if code precedes the comment on its line. In that case, the comment applies to its own
  /// line, otherwise to the next.
  package let followsCode: Bool

  package init(text: String, line: Int, followsCode: Bool) {
    self.text = text
    self.line = line
    self.followsCode = followsCode
  }
}
