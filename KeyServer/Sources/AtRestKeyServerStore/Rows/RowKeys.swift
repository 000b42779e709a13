import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The keys of a database: the root key, from which each row has a key of its own, so a row can be
/// sealed 2^32 times; and the lasting key, which stays when the root key is rotated.
///
/// A box's context is the table, the identifier, the owner, the time, the edition and the stamp of its
/// row. A box that was copied to another row, or to another edition, does not open.
final class RowKeys: Sendable {
  private let root: SecretBytes
  private let lasting: SecretBytes
  private let digestKey: SecretBytes

  /// - Parameters:
  ///   - root: The key that seals rows, 32 bytes.
  ///   - lasting: The key of identifiers, decoys, digests, records and the audit log's chain, 32
  ///     bytes. A name that answered otherwise after a rotation would be shown not to exist.
  init(root: consuming SecretBytes, lasting: consuming SecretBytes) {
    self.root = root
    digestKey = lasting.derive(.digest)
    self.lasting = lasting
  }

  /// New keys.
  static func random() -> RowKeys { RowKeys(root: .random(count: 32), lasting: .random(count: 32)) }

  /// These keys with a new root key.
  func rotated() -> RowKeys { RowKeys(root: .random(count: 32), lasting: lasting.duplicate()) }

  // MARK: Rows

  func seal(
    _ contents: borrowing SecretBytes, _ table: Table, id: Data, owner: Data, time: Int64,
    edition: Int64, stamp: Int64
  ) throws -> Data {
    try key(table, id).seal(contents, context: context(table, id, owner, time, edition, stamp))
  }

  /// Opens the box of a row.
  ///
  /// - Parameter stamp: The stamp of the row, or nil for a database of version 1.
  func open(
    _ box: Data, _ table: Table, id: Data, owner: Data, time: Int64, edition: Int64, stamp: Int64?
  ) throws -> SecretBytes {
    do {
      return try key(table, id).open(
        box, context: context(table, id, owner, time, edition, stamp),
        name: "A row of \(table.name)")
    } catch {
      throw AtRestError(
        .damaged, "A row of \(table.name) was modified, or was sealed under another root key.",
        remedy: "Find out who has access to the database, and restore a backup.")
    }
  }

  private func key(_ table: Table, _ id: Data) throws -> SealingKey {
    try SealingKey(root.derive(.row, context: Data(table.rawValue.utf8) + [0] + id))
  }

  private func context(
    _ table: Table, _ id: Data, _ owner: Data, _ time: Int64, _ edition: Int64, _ stamp: Int64?
  ) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: table.rawValue)
    writer.counted(id)
    writer.counted(owner)
    writer.integer(time)
    writer.integer(edition)
    if let stamp { writer.integer(stamp) }
    return writer.data
  }

  // MARK: The root key

  /// Seals the keys under a key that was derived from the server key.
  func sealed(under key: borrowing SecretBytes, context: Data) throws -> Data {
    let both = SecretBytes(count: 64) { both in
      root.withUnsafeBytes { both.copyMemory(from: $0) }
      lasting.withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: both[32...]).copyMemory(from: $0)
      }
    }
    return try SealingKey(key.duplicate()).seal(both, context: context)
  }

  /// Opens the keys, or returns nil if the box was sealed under another key.
  convenience init?(_ box: Data, under key: borrowing SecretBytes, context: Data) throws {
    guard
      let both = try? SealingKey(key.duplicate()).open(box, context: context, name: "The root key"),
      both.count == 64
    else { return nil }
    self.init(
      root: both.withUnsafeBytes {
        SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[..<32]))
      },
      lasting: both.withUnsafeBytes {
        SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[32...]))
      })
  }

  /// Opens the keys of a database of version 1, which had a root key only, or returns nil.
  convenience init?(version1 box: Data, under key: borrowing SecretBytes, context: Data) throws {
    guard
      let root = try? SealingKey(key.duplicate()).open(box, context: context, name: "The root key"),
      root.count == 32
    else { return nil }
    self.init(root: root.duplicate(), lasting: root.duplicate())
  }

  // MARK: What lasts

  /// Returns the identifier under which something with a name is stored: 32 bytes, from which the
  /// name cannot be guessed without the lasting key.
  func identifier(_ table: Table, _ parts: Data...) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: table.rawValue)
    for part in parts { writer.counted(part) }
    return lasting.derive(.identifier).authenticationCode(for: writer.data)
  }

  /// Seals the contents of a ``DatabaseRecord``.
  func sealRecord(_ contents: borrowing SecretBytes, context: Data) throws -> Data {
    try SealingKey(lasting.derive(.databaseRecord)).seal(contents, context: context)
  }

  func openRecord(_ box: Data, context: Data) throws -> SecretBytes {
    try SealingKey(lasting.derive(.databaseRecord)).open(box, context: context, name: "The record")
  }

  /// Derives the bytes from which the evaluation key of an account that does not exist is made, in a suite.
  func decoy(account: String, _ suite: EvaluationSuite) -> SecretBytes {
    let purpose: Purpose =
      switch suite {
      case .p384: .decoy
      case .ristretto255: .ristrettoDecoy
      }
    return lasting.derive(purpose, context: Data(account.utf8), count: suite.uniformCount)
  }

  /// The authentication code that continues the chain of the audit log.
  func chain(_ message: Data) -> Data { lasting.derive(.chain).authenticationCode(for: message) }

  /// The part of a row in the digest of its table.
  func digest(_ table: Table, _ id: Data, _ stamp: Int64) -> Data {
    var writer = MessageWriter()
    writer.integer(table.code)
    writer.counted(id)
    writer.integer(stamp)
    return digestKey.authenticationCode(for: writer.data)
  }
}

extension Purpose {
  fileprivate static let row = Purpose("atrest.keyserver.row.v1")
  fileprivate static let identifier = Purpose("atrest.keyserver.identifier.v1")
  fileprivate static let databaseRecord = Purpose("atrest.keyserver.database-record.v1")
  fileprivate static let decoy = Purpose("atrest.keyserver.decoy.v1")
  fileprivate static let ristrettoDecoy = Purpose("atrest.keyserver.decoy-ristretto255.v1")
  fileprivate static let chain = Purpose("atrest.keyserver.audit-chain.v1")
  fileprivate static let digest = Purpose("atrest.keyserver.table-digest.v1")
}
