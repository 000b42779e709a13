/// A place at which a canary was found, and its encoding.
package struct CanaryMatch: Hashable, Sendable {
  package let canary: Canary
  /// The range in the searched bytes. In an encoding such as Base64, in which a character can hold
  /// bits of two bytes, it covers only the characters that encode nothing but the canary.
  package let range: Range<Int>
  /// The encodings from the outside in, such as `["base64", "utf-16"]`. Empty if the canary is not
  /// encoded.
  package let encodings: [String]

  package init(canary: Canary, range: Range<Int>, encodings: [String]) {
    self.canary = canary
    self.range = range
    self.encodings = encodings
  }
}
