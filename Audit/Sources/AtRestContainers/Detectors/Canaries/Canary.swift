import AtRestFormats

/// A value put into an app on purpose, to see afterwards where it lies.
///
/// Its value is in no description. Thread-safe.
public struct Canary: Hashable, Sendable {
  /// Fewer characters than this would be found everywhere.
  public static let minimumLength = 4

  public let name: String
  public let value: String

  /// - Throws: ``FormatError`` if the value has fewer than ``minimumLength`` characters, or more than
  ///   1,024 bytes.
  public init(name: String, value: String) throws(FormatError) {
    guard value.count >= Self.minimumLength else {
      throw FormatError(
        "The canary \(name) has fewer than \(Self.minimumLength) characters: it would be found "
          + "everywhere.")
    }
    guard value.utf8.count <= 1024 else {
      throw FormatError("The canary \(name) has more than 1024 bytes.")
    }
    self.name = name
    self.value = value
  }
}

extension Canary: CustomStringConvertible, CustomReflectable {
  public var description: String { name }
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
