import AtRestKeybag

/// The path of an entry relative to the stamped folder, in the bytes of the file system.
///
/// A path is not a `String`, because strings treat different spellings of a letter as equal and
/// cannot represent every name. Paths are ordered by their bytes.
package struct RelativePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The longest path, in bytes.
  package static let longest = 4096

  /// The bytes, which are UTF-8 on most systems, with `/` between the parts.
  package let bytes: [UInt8]

  /// The path as text. A byte that is not UTF-8 is the character U+10FF00 plus the byte.
  package var description: String { SystemPath.text(bytes) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Creates a path, or returns nil if the bytes are too long or do not name an entry below the
  /// folder.
  init?(validating bytes: [UInt8]) {
    guard bytes.count <= Self.longest, !bytes.contains(0) else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == [0x2e] || $0 == [0x2e, 0x2e] }) else {
      return nil
    }
    self.bytes = bytes
  }

  package static func < (a: RelativePath, b: RelativePath) -> Bool {
    a.bytes.withUnsafeBytes { a in
      b.bytes.withUnsafeBytes { b in a.lexicographicallyPrecedes(b) }
    }
  }
}
