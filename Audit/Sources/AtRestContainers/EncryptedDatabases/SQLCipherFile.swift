import AtRestFormats
import Crypto
import CryptoExtras
import Foundation

/// A file that may be a database of SQLCipher, and can be tried with keys.
///
/// A value type: safe to use from any thread.
struct SQLCipherFile: Sendable {
  /// The size in bytes of the key of AES.
  static let keySize = 32

  /// How SQLCipher makes a key of a passphrase.
  enum Derivation: CaseIterable, Sendable {
    /// PBKDF2 with SHA-1 and 4,000 rounds. SQLCipher 1 and 2.
    case version2
    /// PBKDF2 with SHA-1 and 64,000 rounds.
    case version3
    /// PBKDF2 with SHA-512 and 256,000 rounds.
    case version4

    fileprivate var rounds: Int {
      switch self {
      case .version2: 4_000
      case .version3: 64_000
      case .version4: 256_000
      }
    }
  }

  let source: ByteSource
  private let head: [UInt8]
  /// The layouts that a header in plaintext allows, or none if the file has a salt.
  private let layouts: [SQLCipherLayout]

  /// Prepares a file, or returns nil if it cannot be a database of SQLCipher.
  ///
  /// - Parameter type: The type that its bytes show. A file with a header in plaintext looks like one of SQLite.
  /// - Throws: ``FormatError`` if it cannot be read.
  init?(_ source: ByteSource, _ type: FileType) throws(FormatError) {
    guard source.count >= 512, source.count % 512 == 0, type == .unknown || type == .sqlite else {
      return nil
    }
    head = try source.prefix(SQLCipherLayout.pageSizes.last ?? 0)
    layouts = type == .sqlite ? SQLCipherLayout.allowed(byPlaintextHeader: head) : []
    guard type == .unknown || !layouts.isEmpty else { return nil }
    self.source = source
  }

  /// The salt of a passphrase, or nil if the file does not have it.
  var salt: [UInt8]? {
    layouts.isEmpty ? Array(head.prefix(SQLCipherLayout.saltSize)) : nil
  }

  /// Returns the layout of the file if a key of 32 bytes opens it.
  func layout(openedBy key: SymmetricKey) throws -> SQLCipherLayout? {
    // The page of the schema begins in the seventh block, which is chained to the sixth wherever the IV is.
    let tree = try block(at: 96, after: Array(head[80..<96]), key)
    let page = [UInt8](repeating: 0, count: 96) + tree
    guard SQLCipherLayout.isTree(page[100...], of: .table) else { return nil }
    if !layouts.isEmpty { return layout(ofDatabaseUnder: key) }
    for pageSize in SQLCipherLayout.pageSizes where pageSize <= head.count {
      for reserve in SQLCipherLayout.reserves {
        let layout = SQLCipherLayout(pageSize: pageSize, reserve: reserve)
        let iv = Array(head[(pageSize - reserve)...].prefix(SQLCipherLayout.blockSize))
        if layout.isHeader(try block(at: layout.clear, after: iv, key)) { return layout }
      }
    }
    return nil
  }

  /// Returns the key that SQLCipher makes of a passphrase for this file.
  func key(from passphrase: [UInt8], _ derivation: Derivation) throws -> SymmetricKey? {
    guard let salt else { return nil }
    return try KDF.Insecure.PBKDF2.deriveKey(
      from: passphrase, salt: salt, using: derivation == .version4 ? .sha512 : .insecureSHA1,
      outputByteCount: Self.keySize, unsafeUncheckedRounds: derivation.rounds)
  }

  private func block(at offset: Int, after previous: [UInt8], _ key: SymmetricKey) throws -> [UInt8]
  {
    var block = Array(head[offset..<offset + SQLCipherLayout.blockSize])
    try AES.inversePermute(&block, key: key)
    for index in block.indices { block[index] ^= previous[index] }
    return block
  }

  /// Returns the layout that makes the most sense of a file with a header in plaintext, or nil if it has no tables
  /// under a key.
  private func layout(ofDatabaseUnder key: SymmetricKey) -> SQLCipherLayout? {
    let sense = layouts.map { layout -> (layout: SQLCipherLayout, pages: Int) in
      let plaintext = SQLCipherPages(layout: layout, key: key).plaintext(of: source)
      guard let database = try? SQLiteFile(plaintext), !database.tables.isEmpty,
        database.skipped.isEmpty
      else { return (layout, -1) }
      let pages = (1..<17).count { number in
        let start = number * layout.pageSize
        guard let page = try? plaintext.read(start..<start + 8) else { return false }
        return SQLCipherLayout.isTree(page[...], of: .all)
      }
      return (layout, pages)
    }
    // In a database of one page, the IV concerns only numbers that nobody reads.
    return sense.max { $0.pages < $1.pages }.flatMap { $0.pages < 0 ? nil : $0.layout }
  }
}
