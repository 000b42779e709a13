import AtRestCrypto

/// The format of an encrypted database: one of SQLCipher's, which its tools read.
///
/// A file does not say which format it has, so a reader must name the one that it was written in.
///
/// ```swift
/// var format = DatabaseFormat.sqlcipher4
/// format.pageSize = 8192
/// ```
public struct DatabaseFormat: Hashable, Sendable {
  /// A hash function, for key derivation or for the authentication of pages.
  public enum Hash: Hashable, Sendable {
    case sha1, sha256, sha512

    var size: Int {
      switch self {
      case .sha1: 20
      case .sha256: 32
      case .sha512: 64
      }
    }
  }

  /// The name of the format, for messages.
  public let name: String
  /// The size of a page in bytes: a power of two from 1,024 to 65,536; without HMAC also 512.
  public var pageSize: Int
  /// The number of PBKDF2 rounds that turn a passphrase into a key.
  public var rounds: Int
  /// The hash function of PBKDF2.
  public var derivation: Hash
  /// The hash function of the pages' HMAC. Without one, modified pages are not detected.
  public var authentication: Hash?
  /// True if the first 32 bytes of the file are not encrypted, which iOS needs for databases that
  /// processes share. The 16 bytes of the salt are then not in the file: the caller provides them
  /// with the key.
  public var hasPlaintextHeader = false

  /// The format of SQLCipher 4, which is the default.
  public static let sqlcipher4 = DatabaseFormat(
    name: "SQLCipher 4", pageSize: 4096, rounds: 256_000, derivation: .sha512,
    authentication: .sha512)
  /// The format of SQLCipher 3.
  public static let sqlcipher3 = DatabaseFormat(
    name: "SQLCipher 3", pageSize: 1024, rounds: 64_000, derivation: .sha1, authentication: .sha1)
  /// The format of SQLCipher 2.
  public static let sqlcipher2 = DatabaseFormat(
    name: "SQLCipher 2", pageSize: 1024, rounds: 4_000, derivation: .sha1, authentication: .sha1)
  /// The format of SQLCipher 2 on a machine with big-endian numbers.
  public static let sqlcipher2BigEndian = DatabaseFormat(
    name: "SQLCipher 2 (big-endian)", pageSize: 1024, rounds: 4_000, derivation: .sha1,
    authentication: .sha1, hasBigEndianNumbers: true)
  /// The format of the beta versions of SQLCipher 2.
  public static let sqlcipher2Beta = DatabaseFormat(
    name: "SQLCipher 2 (beta)", pageSize: 1024, rounds: 4_000, derivation: .sha1,
    authentication: .sha1, authenticationRounds: 4_000, authenticationMask: 0)
  /// The format of SQLCipher 1. Modified pages are not detected.
  public static let sqlcipher1 = DatabaseFormat(
    name: "SQLCipher 1", pageSize: 1024, rounds: 4_000, derivation: .sha1, authentication: nil)

  /// The formats by the names that the command line and URIs have for them.
  package static let named: [String: DatabaseFormat] = [
    "sqlcipher4": .sqlcipher4, "sqlcipher3": .sqlcipher3, "sqlcipher2": .sqlcipher2,
    "sqlcipher2-be": .sqlcipher2BigEndian, "sqlcipher2-beta": .sqlcipher2Beta,
    "sqlcipher1": .sqlcipher1,
  ]

  /// True if the HMAC of a page covers its number as a big-endian `u32`.
  private(set) var hasBigEndianNumbers = false
  /// The number of PBKDF2 rounds that turn the key into that of the HMAC.
  private(set) var authenticationRounds = 2
  /// The salt of the key of the HMAC is that of the file, with each byte XOR this one.
  private(set) var authenticationMask: UInt8 = 0x3a

  static let saltSize = 16
  static let keySize = 32
  static let vectorSize = 16
  static let pageSizes = (9...16).map { 1 << $0 }

  /// The number of bytes at the end of each page: IV and HMAC, rounded up to AES blocks.
  var reserve: Int { (Self.vectorSize + (authentication?.size ?? 0) + 15) / 16 * 16 }

  /// The number of bytes at the beginning of the file that are not encrypted.
  var clearSize: Int { hasPlaintextHeader ? 32 : Self.saltSize }

  /// The number of the page with SQLite's locks, which is never written.
  static func locksPage(pageSize: Int) -> UInt32 { UInt32(0x4000_0000 / pageSize + 1) }

  func check() throws {
    guard Self.pageSizes.contains(pageSize) else {
      throw AtRestError.invalid(
        "A database cannot have pages of \(pageSize) bytes.",
        remedy: "Choose a power of two from 512 to 65,536.")
    }
    // SQLite requires 480 bytes besides the reserve.
    guard pageSize - reserve >= 480 else {
      throw AtRestError.invalid(
        "Pages of \(pageSize) bytes are too small for \(reserve) bytes of IV and HMAC.",
        remedy: "Choose pages of 1,024 bytes or more.")
    }
    guard (1...Int(Int32.max)).contains(rounds) else {
      throw AtRestError.invalid(
        "A key cannot be derived with \(rounds) rounds.", remedy: "Choose 1 round or more.")
    }
  }
}
