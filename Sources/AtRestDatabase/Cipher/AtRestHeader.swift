import AtRestCrypto
import Foundation

/// The first 22 bytes of a database in AtRest's format, which are not encrypted: magic (3), version (1),
/// the binary logarithm of the size of a page (1), SQLite's reserve (1), salt (16).
struct AtRestHeader: Equatable {
  static let size = 22
  static let version: UInt8 = 1
  /// The place of the reserve in the header.
  static let reserveOffset = 5
  private static let magic = Data("AtD".utf8)

  let pageSize: Int
  /// The bytes at the end of each page that SQLite leaves free. A copy of a database in another format
  /// can have more than the cipher needs.
  let reserve: UInt8
  let salt: Data

  init(pageSize: Int, reserve: UInt8 = UInt8(DatabaseFormat.atrest.reserve), salt: Data) {
    self.pageSize = pageSize
    self.reserve = reserve
    self.salt = salt
  }

  /// Reads the beginning of a file.
  ///
  /// - Throws: ``AtRestError/Code/unsupportedVersion``; ``AtRestError/Code/damaged``.
  init(_ start: Data, of url: URL) throws {
    guard start.count == Self.size, start.prefix(Self.magic.count) == Self.magic else {
      throw AtRestError.damaged(
        "The database \(url.path) does not begin as one of AtRest's format.")
    }
    guard start[3] == Self.version else {
      throw AtRestError.unsupported(
        "The database \(url.path)", version: start[3], known: Self.version)
    }
    guard start[4] < 32, DatabaseFormat.atrestPageSizes.contains(1 << Int(start[4])) else {
      throw AtRestError.damaged(
        "The database \(url.path) names a size of pages that does not exist, at offset 4.")
    }
    pageSize = 1 << Int(start[4])
    reserve = start[Self.reserveOffset]
    salt = Data(start[6...])
  }

  var data: Data {
    Self.magic + [Self.version, UInt8(pageSize.trailingZeroBitCount), reserve] + salt
  }

  /// The beginning that SQLite sees, for WAL mode.
  var plain: Data {
    let bytes = [
      UInt8(truncatingIfNeeded: pageSize >> 8), UInt8(truncatingIfNeeded: pageSize >> 16), 2, 2,
      reserve, 64, 32, 32,
    ]
    return Data("SQLite format 3\0".utf8) + bytes
  }
}
