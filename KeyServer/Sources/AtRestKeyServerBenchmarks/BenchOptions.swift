import ArgumentParser
import AtRestCrypto
import AtRestKeyServerProtocol
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

/// The suite of the requests, and of the accounts that exist.
struct SuiteOption: ParsableArguments {
  @Option(help: "The suite of the requests and of their accounts: p384 or ristretto255.")
  var suite = "ristretto255"

  var value: EvaluationSuite { suite == "p384" ? .p384 : .ristretto255 }

  func validate() throws {
    guard ["p384", "ristretto255"].contains(suite) else {
      throw ValidationError("There is no suite \(suite).")
    }
  }

  /// A blinded element, as a guess has one.
  var element: GroupElement {
    get throws {
      try BlindedInput(SecretBytes(utf8: "guess"), publicKey: EvaluationKey(value).publicKey)
        .element
    }
  }
}

/// The names of the accounts of a measurement. All are of one length.
struct Names: Sendable {
  private let suite: EvaluationSuite

  init(_ suite: EvaluationSuite) { self.suite = suite }

  /// An account that exists and evaluates requests without a signature.
  func open(_ index: Int) -> String { name("open", index) }
  /// An account that exists and evaluates requests of its own devices only.
  func closed(_ index: Int) -> String { name("shut", index) }
  /// An account that does not exist.
  func unknown(_ index: Int) -> String { name("none", index) }

  private func name(_ kind: String, _ index: Int) -> String {
    "\(kind)-\(suite.rawValue)-\(String(1_000_000 + index))"
  }
}
