/// Where a canary was found, and in what writing.
package struct CanaryMatch: Hashable, Sendable {
  package let canary: Canary
  /// Bytes from the start of what was searched. Of a writing that shares characters with its neighbours,
  /// as base64 does, only those that are the canary's own.
  package let range: Range<Int>
  /// From the outside in: `["base64", "utf-16"]`. Empty for the canary as it is.
  package let encodings: [String]

  package init(canary: Canary, range: Range<Int>, encodings: [String]) {
    self.canary = canary
    self.range = range
    self.encodings = encodings
  }
}
