import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// The keys that seal rows. Each row has a key of its own, derived from the root key, so a row can
/// be sealed 2^32 times.
///
/// A box's context is the table, the identifier, the owner, the time and the edition of its row. A
/// box that was copied to another row, or to another edition, does not open.
struct RowKeys: ~Copyable, Sendable {
  private let root: SecretBytes

  init(_ root: consuming SecretBytes) { self.root = root }

  func seal(
    _ contents: borrowing SecretBytes, _ table: Table, id: Data, owner: Data, time: Int64,
    edition: Int64
  ) throws -> Data {
    try key(table, id).seal(contents, context: context(table, id, owner, time, edition))
  }

  func open(
    _ box: Data, _ table: Table, id: Data, owner: Data, time: Int64, edition: Int64
  ) throws -> SecretBytes {
    do {
      return try key(table, id).open(
        box, context: context(table, id, owner, time, edition), name: "A row of \(table.name)")
    } catch {
      throw AtRestError(
        .damaged, "A row of \(table.name) was modified, or was sealed under another server key.",
        remedy: "Use the server key that belongs to the database, or restore a backup.")
    }
  }

  private func key(_ table: Table, _ id: Data) throws -> SealingKey {
    try SealingKey(root.derive(.row, context: Data(table.rawValue.utf8) + [0] + id))
  }

  private func context(
    _ table: Table, _ id: Data, _ owner: Data, _ time: Int64, _ edition: Int64
  ) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: table.rawValue)
    writer.counted(id)
    writer.counted(owner)
    writer.integer(time)
    writer.integer(edition)
    return writer.data
  }

  /// Returns the identifier under which something with a name is stored: 32 bytes, from which the
  /// name cannot be guessed without the root key.
  func identifier(_ table: Table, _ parts: Data...) -> Data {
    var writer = MessageWriter()
    writer.counted(utf8: table.rawValue)
    for part in parts { writer.counted(part) }
    return root.derive(.identifier).authenticationCode(for: writer.data)
  }

  /// Seals the root key under the server key.
  func sealRoot(under key: borrowing SealingKey, context: Data) throws -> Data {
    try key.seal(root, context: context)
  }

  /// Seals the contents of a ``DatabaseRecord``.
  func sealRecord(_ contents: borrowing SecretBytes, context: Data) throws -> Data {
    try SealingKey(root.derive(.databaseRecord)).seal(contents, context: context)
  }

  func openRecord(_ box: Data, context: Data) throws -> SecretBytes {
    try SealingKey(root.derive(.databaseRecord)).open(box, context: context, name: "The record")
  }

  /// Derives the evaluation key that an account that does not exist has in a suite.
  func decoyKey(account: String, _ suite: EvaluationSuite) -> EvaluationSecret {
    let purpose: Purpose =
      switch suite {
      case .p384: .decoy
      case .ristretto255: .ristrettoDecoy
      }
    let uniform = root.derive(purpose, context: Data(account.utf8), count: suite.uniformCount)
    return EvaluationSecret(suite, suite.privateKey(from: uniform))
  }

  /// The authentication code that continues the chain of the audit log.
  func chain(_ message: Data) -> Data { root.derive(.chain).authenticationCode(for: message) }
}

extension Purpose {
  fileprivate static let row = Purpose("atrest.keyserver.row.v1")
  fileprivate static let identifier = Purpose("atrest.keyserver.identifier.v1")
  fileprivate static let databaseRecord = Purpose("atrest.keyserver.database-record.v1")
  fileprivate static let decoy = Purpose("atrest.keyserver.decoy.v1")
  fileprivate static let ristrettoDecoy = Purpose("atrest.keyserver.decoy-ristretto255.v1")
  fileprivate static let chain = Purpose("atrest.keyserver.audit-chain.v1")
}
