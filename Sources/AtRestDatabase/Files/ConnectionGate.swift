import AtRestCrypto
import CAtRestSQLite
import GRDB

/// Stops the statements of connections. See `atrest_sqlite_gate`.
package final class ConnectionGate: @unchecked Sendable {
  private let gate: OpaquePointer

  package init() throws {
    guard let gate = atrest_sqlite_gate_make() else {
      throw AtRestError(
        .system, "There is not enough memory to open a database.", remedy: "Close other programs.")
    }
    self.gate = gate
  }

  deinit { atrest_sqlite_gate_free(gate) }

  package var isClosed: Bool { atrest_sqlite_gate_is_closed(gate) == 1 }

  /// Returns false if the gate was closed already.
  @discardableResult
  package func close() -> Bool { atrest_sqlite_gate_close(gate) == 1 }

  package func watch(_ db: Database) {
    atrest_sqlite_gate_watch(gate, db.sqliteConnection.map(UnsafeMutableRawPointer.init))
  }
}
