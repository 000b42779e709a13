/// The file `.crc` beside a store of MMKV, which says how far the store's contents go.
package struct MMKVState: Hashable, Sendable {
  /// The version of the format, from 0 to 4.
  package let version: Int
  /// The checksum of the contents.
  package let checksum: UInt32
  /// The IV of the contents, if they are encrypted.
  package let iv: [UInt8]
  /// The size of the contents in bytes, or 0 in versions that keep it in the store.
  package let size: Int
  /// True if each value is followed by the time at which it expires.
  package let expires: Bool

  /// The version since which the size is kept here.
  private static let sizeVersion = 3
  private static let flagVersion = 4
  private static let lastVersion = 8
  private static let ivSize = 16
  /// The size of what is read, in bytes.
  private static let count = 112

  package var keepsSize: Bool { version >= Self.sizeVersion }

  /// Reads the file, or returns nil if it is not one.
  package init?(_ source: ByteSource) {
    guard let head = try? source.prefix(Self.count), head.count == Self.count,
      let checksum = head.littleEndian(at: 0, size: 4),
      let version = head.littleEndian(at: 4, size: 4), version <= Self.lastVersion,
      let size = head.littleEndian(at: 28, size: 4), let flags = head.littleEndian(at: 104, size: 4)
    else { return nil }
    self.version = version
    self.checksum = UInt32(checksum)
    iv = Array(head[12..<12 + Self.ivSize])
    self.size = version >= Self.sizeVersion ? size : 0
    expires = version >= Self.flagVersion && flags & 1 == 1
  }
}
