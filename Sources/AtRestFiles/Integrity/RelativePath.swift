/// The path of an entry from the folder that it lies in: bytes, as the file system has them.
///
/// Not a `String`, whose equality takes different spellings of a letter for the same, and which
/// cannot hold every name. In order of the bytes.
public struct RelativePath: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The longest path, in bytes.
  public static let longest = 4096

  /// The bytes, UTF-8 on most systems, parts separated by `/`.
  public let bytes: [UInt8]

  /// The path as text; what is not UTF-8 is shown as U+FFFD.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// A path that leads to something below its folder and nowhere else, or nil.
  init?(validating bytes: [UInt8]) {
    guard bytes.count <= Self.longest, !bytes.contains(0) else { return nil }
    let parts = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard !parts.contains(where: { $0.isEmpty || $0 == [0x2e] || $0 == [0x2e, 0x2e] }) else {
      return nil
    }
    self.bytes = bytes
  }

  public static func < (a: RelativePath, b: RelativePath) -> Bool {
    a.bytes.withUnsafeBytes { a in
      b.bytes.withUnsafeBytes { b in a.lexicographicallyPrecedes(b) }
    }
  }
}
