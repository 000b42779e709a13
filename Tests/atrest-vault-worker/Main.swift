import AtRest
import Foundation

/// Runs one part of a test in a process of its own: `atrest-vault-worker PART ARGUMENTS`.
@main
struct Main {
  static func main() async {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      switch arguments.first {
      case "integrity": try Integrity.report()
      case "integrity-without-variables": try Integrity.reportWithoutVariables()
      case "with-signals": try Integrity.becomeWithSignals(Array(arguments.dropFirst()))
      case "traced": try Integrity.trace(Array(arguments.dropFirst()))
      case "churn":
        var churn = try VaultChurn(Array(arguments.dropFirst()))
        try churn.run()
      case "coders": try FoundationCoders.run(Array(arguments.dropFirst()))
      case "use": try VaultUse.run(Array(arguments.dropFirst()))
      case "database": try DatabaseCrash.run(Array(arguments.dropFirst()))
      case "interrupted": try InterruptedTransaction.run(Array(arguments.dropFirst()))
      case "witness": try Witness(Array(arguments.dropFirst())).run()
      case "secrets": try await VaultSecrets(Array(arguments.dropFirst())).run()
      default: throw AtRestError(.invalidArgument, "There is no such part.", remedy: "Name one.")
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(VaultUse.status(error))
    }
  }
}
