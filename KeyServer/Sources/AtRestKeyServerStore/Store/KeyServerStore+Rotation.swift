import AtRestCrypto
import Foundation

extension KeyServerStore {
  /// Returns true if the root key is sealed under a server key.
  package func isSealed(under serverKey: borrowing SecretBytes) throws -> Bool {
    let key = SecretHolder(Root.key(of: serverKey))
    return try root.withLock { try RowKeys($0.box, under: key.bytes, context: realm) != nil }
  }

  /// Seals all rows under a new root key, and the new root key under another server key, in one
  /// transaction. If it is interrupted, nothing was changed.
  ///
  /// Transactions of servers are refused with ``AtRestError/Code/busy`` meanwhile. A server that was opened
  /// with the new server key as its next one goes on afterwards; others answer nothing until they are started
  /// with the new one. With the former server key erased, nothing that was destroyed before, or put back from
  /// before, can be opened.
  ///
  /// - Throws: ``AtRestError/Code/invalidArgument`` if the server key is the present one;
  ///   ``AtRestError/Code/rolledBack`` if rows were put back, added or removed.
  package func rotateKeys(to serverKey: borrowing SecretBytes) throws {
    let key = SecretHolder(Root.key(of: serverKey))
    let rotated = try database.joinedTransaction { connection, begin in
      let fence = connection.exclusiveFence.map { [$0] } ?? []
      let rows = try connection.run([begin] + fence + [Self.selectState]).last ?? []
      let transaction = try opened(connection, rows)
      return (try root.withLock { $0 }.rotated(transaction, to: key.bytes), [])
    }
    root.withLock { $0 = rotated }
  }
}
