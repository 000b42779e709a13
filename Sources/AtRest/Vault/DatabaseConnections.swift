import AtRestDatabase
import Foundation
import GRDB

/// The open connections to a database of the vault.
final class DatabaseConnections: Sendable {
  let pool: DatabasePool
  private let gate: ConnectionGate

  /// - Parameter open: Opens the connections with a configuration.
  init(
    _ configuration: Configuration, _ open: (Configuration) throws -> DatabasePool
  ) throws {
    let gate = try ConnectionGate()
    var configuration = configuration
    // The pool keeps the closure, and with it the gate, for as long as it has connections.
    configuration.prepareDatabase { gate.watch($0) }
    pool = try open(configuration)
    self.gate = gate
  }

  deinit { close() }

  var isClosed: Bool { gate.isClosed }

  /// Ends all statements at once, and lets none begin. The connections are closed when nothing uses the pool any
  /// longer, and their key is then erased.
  ///
  /// The pool is not closed here: a thread that reads from a pool while GRDB closes it ends the process. What the
  /// connections keep of pages is freed soon. The call does not wait for that, because it may come from a closure
  /// that uses a connection.
  func close() {
    guard gate.close() else { return }
    pool.interrupt()
    DispatchQueue.global().async { [pool] in pool.releaseMemory() }
  }
}
