import AtRestFormats

extension Finding {
  /// A secret in an audited file: its value, and the place where the file writes it.
  ///
  /// A rule that reports a value as a secret states it in this form. Reports mask the value at its
  /// place and wherever else they would show it, however it is escaped or encoded. If the file does
  /// not write the value at the place, reports mask the rest of the line, or all of a line that is
  /// not code.
  ///
  /// The description and a dump of a secret do not contain the value.
  public struct Secret: Hashable, Sendable {
    /// The value without escapes. A text is in UTF-8. If the value is empty, everything at the place
    /// is a secret.
    public let value: [UInt8]
    /// The place where the value is written. It may include quotation marks and tags.
    public let location: Location

    /// Creates a secret text. The text has no escapes.
    public init(_ text: String, at location: Location) {
      self.init(Array(text.utf8), at: location)
    }

    /// Creates a secret that consists of bytes, such as a key.
    public init(_ bytes: [UInt8], at location: Location) {
      value = bytes
      self.location = location
    }
  }
}

extension Finding.Secret: CustomStringConvertible, CustomReflectable {
  public var description: String { "\(value.count) bytes at \(location.path)" }
  public var customMirror: Mirror { Mirror(self, children: ["location": location]) }
}
