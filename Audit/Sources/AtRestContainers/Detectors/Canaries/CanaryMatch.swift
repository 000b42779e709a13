/// A place at which a canary was found, and its encoding.
package struct CanaryMatch: Hashable, Sendable {
  package let canary: Canary
  /// The range in the searched bytes. In an encoding whose characters share bits with their
  /// neighbours, such as Base64, only the characters that belong to the canary alone.
  package let range: Range<Int>
  /// The encodings from the outside in, such as `["base64", "utf-16"]`. Empty for the canary as it
  /// is.
  package let encodings: [String]

  package init(canary: Canary, range: Range<Int>, encodings: [String]) {
    self.canary = canary
    self.range = range
    self.encodings = encodings
  }
}
