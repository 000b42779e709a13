import ArgumentParser
import AtRestCrypto
import AtRestKeyServerStore
import Foundation

/// The database and the server key of a measurement.
struct BenchOptions: ParsableArguments {
  @Option(help: "The connection string of libpq.") var database: String
  @Option(help: "A file with the server key, which is made if it is missing.") var serverKey: String

  /// Opens the store. Attempts are limited to ten, without delays, or as in operation.
  func store(delays: Bool) throws -> KeyServerStore {
    let url = URL(fileURLWithPath: serverKey)
    if !FileManager.default.fileExists(atPath: serverKey) {
      // The key of a database that lasts as long as the measurement.
      try RandomBytes.data(count: 32).write(to: url)
    }
    return try KeyServerStore(
      Database(.postgreSQL(database)), serverKey: SecretBytes(Data(contentsOf: url)),
      rules: delays ? .standard : AttemptRules(limit: 10, delays: []))
  }
}

/// The names of the accounts of a measurement. All are of one length.
enum Names {
  /// An account that exists and evaluates requests without a signature.
  static func open(_ index: Int) -> String { name("open", index) }
  /// An account that exists and evaluates requests of its own devices only.
  static func closed(_ index: Int) -> String { name("shut", index) }
  /// An account that does not exist.
  static func unknown(_ index: Int) -> String { name("none", index) }

  private static func name(_ kind: String, _ index: Int) -> String {
    "\(kind)-\(String(1_000_000 + index))"
  }
}
