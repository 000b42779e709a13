import ArgumentParser
import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// `keyserver-bench crypto`: the evaluations of both suites alone, on one core.
struct CryptoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crypto", abstract: "Measures evaluations alone, on one core.")

  @Option var rounds = 500

  func run() throws {
    for suite in EvaluationSuite.allCases { try measure(suite) }
  }

  private func measure(_ suite: EvaluationSuite) throws {
    let key = EvaluationKey(suite)
    let privateKey = key.privateKey
    let publicKey = key.publicKey
    let input = SecretBytes(utf8: "guess")
    let blinded = try BlindedInput(input, publicKey: publicKey)
    let evaluation = try key.evaluate(blinded.element)
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
      let start = DispatchTime.now().uptimeNanoseconds
      for _ in 0..<rounds { try body() }
      let each = Double(DispatchTime.now().uptimeNanoseconds - start) / Double(rounds) / 1000
      print(String(format: "%@, %@: %.0f µs, %.0f/s", suite.name, name, each, 1_000_000 / each))
    }
    try measure("restore the key") { _ = try EvaluationKey(suite, privateKey: privateKey) }
    try measure("evaluation and proof") { _ = try key.evaluate(blinded.element) }
    try measure("all of a request") {
      let key = try EvaluationKey(suite, privateKey: privateKey)
      _ = key.publicKey
      _ = try key.evaluate(blinded.element)
    }
    try measure("client: blind") { _ = try BlindedInput(input, publicKey: publicKey) }
    try measure("client: verify and unblind") { _ = try blinded.finalize(evaluation) }
  }
}
