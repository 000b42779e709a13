import AtRestFormats

/// A value that a tester typed into an app, in order to find where the app stores it.
///
/// The description of a canary contains its name, not its value. Thread-safe.
public struct Canary: Hashable, Sendable {
  /// The minimum number of characters in a value. Shorter values would be found everywhere.
  public static let minimumLength = 4

  public let name: String
  public let value: String

  /// Creates a canary.
  ///
  /// - Throws: ``FormatError`` if the value has fewer than ``minimumLength`` characters or more
  ///   than 1,024 bytes.
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
