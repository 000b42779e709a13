/// An attribute or property wrapper: `@AppStorage("token")`, `@IBOutlet`. In Objective-C,
/// attributes are the words in the parentheses of a `@property`, and `IBOutlet` and `IBAction`.
package struct Attribute: Sendable {
  /// The name without the `@`.
  package let name: String
  package let arguments: [Argument]

  package init(_ name: String, _ arguments: [Argument] = []) {
    self.name = name
    self.arguments = arguments
  }
}
