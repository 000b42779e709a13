import ArgumentParser
import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation

/// `keyserver-bench crypto`: an evaluation alone, on one core.
struct CryptoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "crypto", abstract: "Measures an evaluation alone, on one core.")

  @Option var rounds = 500

  func run() throws {
    let key = EvaluationKey()
    let element = try BlindedInput(SecretBytes(utf8: "guess"), publicKey: key.publicKey).element
    let privateKey = key.privateKey
    func measure(_ name: String, _ body: () throws -> Void) rethrows {
      let start = DispatchTime.now().uptimeNanoseconds
      for _ in 0..<rounds { try body() }
      let each = Double(DispatchTime.now().uptimeNanoseconds - start) / Double(rounds) / 1000
      print(String(format: "%@: %.0f µs, %.0f/s", name, each, 1_000_000 / each))
    }
    try measure("restore the key") { _ = try EvaluationKey(privateKey: privateKey) }
    measure("public key") { _ = key.publicKey }
    try measure("evaluation and proof") { _ = try key.evaluate(element) }
    try measure("all three") {
      let key = try EvaluationKey(privateKey: privateKey)
      _ = key.publicKey
      _ = try key.evaluate(element)
    }
  }
}
