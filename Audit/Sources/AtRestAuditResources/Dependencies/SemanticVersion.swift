/// A version in the order of Semantic Versioning, parsed tolerantly.
///
/// `v1.2`, `1.2.3.4` and `1.2.3-beta.2+build` are versions. Missing parts count as zero, and the
/// part after `+` is ignored.
package struct SemanticVersion: Comparable, Sendable {
  /// Digits without leading zeros, because a number may be too large for any integer type.
  private let numbers: [Substring]
  private let prerelease: [Substring]

  /// Parses a version, or returns nil if a part before `-` is not a number.
  package init?(_ text: String) {
    var rest = Substring(text).trimmed
    if rest.first == "v" || rest.first == "V" { rest = rest.dropFirst() }
    rest = rest.prefix { $0 != "+" }
    let release = rest.prefix { $0 != "-" }
    var numbers: [Substring] = []
    for part in release.split(separator: ".", omittingEmptySubsequences: false) {
      guard !part.isEmpty, part.utf8.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
      numbers.append(part.drop { $0 == "0" })
    }
    guard !numbers.isEmpty else { return nil }
    while let last = numbers.last, last.isEmpty { numbers.removeLast() }
    self.numbers = numbers
    prerelease = rest.dropFirst(release.count + 1).split(separator: ".")
  }

  package static func == (left: SemanticVersion, right: SemanticVersion) -> Bool {
    left.numbers == right.numbers && left.prerelease == right.prerelease
  }

  package static func < (left: SemanticVersion, right: SemanticVersion) -> Bool {
    for index in 0..<max(left.numbers.count, right.numbers.count) {
      let first = index < left.numbers.count ? left.numbers[index] : ""
      let second = index < right.numbers.count ? right.numbers[index] : ""
      if first != second { return isSmaller(first, second) }
    }
    if left.prerelease.isEmpty || right.prerelease.isEmpty {
      return !left.prerelease.isEmpty && right.prerelease.isEmpty
    }
    for (first, second) in zip(left.prerelease, right.prerelease) where first != second {
      switch (number(first), number(second)) {
      case (let first?, let second?):
        if first == second { continue }
        return isSmaller(first, second)
      case (nil, nil): return first < second
      case (let first, _): return first != nil
      }
    }
    return left.prerelease.count < right.prerelease.count
  }

  private static func number(_ text: Substring) -> Substring? {
    text.utf8.allSatisfy { 0x30...0x39 ~= $0 } ? text.drop { $0 == "0" } : nil
  }

  private static func isSmaller(_ first: Substring, _ second: Substring) -> Bool {
    (first.utf8.count, first) < (second.utf8.count, second)
  }
}
