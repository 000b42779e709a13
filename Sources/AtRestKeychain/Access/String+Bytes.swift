/// The names of access groups are compared as bytes, as the database does. Swift's `==` takes names for
/// the same that differ in their bytes, such as the two forms of “é”.
@_spi(Tools) extension String {
  /// Returns true if both have the same bytes in UTF-8.
  public func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

@_spi(Tools) extension [String] {
  /// Returns true if one of the names has the same bytes in UTF-8 as another one.
  public func containsBytes(of name: String) -> Bool { contains { $0.hasSameBytes(as: name) } }

  /// Returns the names without those whose bytes occurred before.
  public func uniqueBytes() -> [String] {
    guard count > 1 else { return self }
    var seen = Set<[UInt8]>()
    return filter { seen.insert([UInt8]($0.utf8)).inserted }
  }
}
