import AtRestCrypto
import AtRestKeybag
import Foundation

/// The bytes of a protected file as `docs/Formats.md` specifies them, for tests that change them.
struct StoredBytes {
  var bytes: Data
  static let countOffset = 11
  static let chunkSizeOffset = 15
  static let identityOffset = 19
  static let generationOffset = 35
  static let tableCountOffset = 43
  static let slotCountOffset = 51
  static let slotsOffset = 64

  init(_ bytes: Data) { self.bytes = Data(bytes) }

  var headerCount: Int { Int(integer(Self.countOffset, 4)) }
  var tableCount: Int { Int(integer(Self.tableCountOffset, 8)) }
  var chunkSize: Int { Int(integer(Self.chunkSizeOffset, 4)) }
  var tableStart: Int { bytes.count - tableCount }

  /// The positions of the sealed chunks.
  var chunks: [Range<Int>] {
    stride(from: headerCount, to: tableStart, by: chunkSize + 16).map {
      $0..<min($0 + chunkSize + 16, tableStart)
    }
  }

  func integer(_ offset: Int, _ count: Int) -> UInt64 {
    bytes[offset..<offset + count].reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func set(_ offset: Int, _ count: Int, to value: UInt64) {
    for index in 0..<count {
      bytes[offset + index] = UInt8(truncatingIfNeeded: value >> UInt64(8 * (count - 1 - index)))
    }
  }

  /// Returns the key of a file of class none.
  func fileKey(_ keybag: Keybag) throws -> SecretBytes {
    try keybag.unwrap(
      bytes[Self.slotsOffset + 20..<Self.slotsOffset + 60], under: .noProtection, name: "key")
  }

  /// Authenticates the header again, as a dishonest holder of the file's key can.
  mutating func authenticateHeader(_ key: borrowing SecretBytes) {
    let end = headerCount - 32
    let code = key.derive(Purpose("atrest.file.header.v1")).authenticationCode(for: bytes[..<end])
    bytes.replaceSubrange(end..<headerCount, with: code)
  }
}
