import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

/// One child process of the torture tests: `atrest-torture-worker VERB STORE DEVICE …`.
///
/// A separate process can be killed, crash, or have its memory searched without affecting the
/// tests.
@main enum Main {
  static func main() {
    let arguments = CommandLine.arguments
    do {
      guard arguments.count >= 4 else { throw Unusable("VERB STORE DEVICE …") }
      let store = Store(
        folder: URL(fileURLWithPath: arguments[2]), device: URL(fileURLWithPath: arguments[3]))
      let rest = Array(arguments[4...])
      switch arguments[1] {
      case "make": try store.make()
      case "writes": try Writes(store, rest).run()
      case "careless": try Careless(store, rest).run()
      case "record": try Recorder(store, rest).run()
      case "fail": try Injector(store, rest).run()
      case "flip": try Flip(store, rest).run()
      case "churn":
        var churn = try Churn(store, rest)
        try churn.run()
      case "files":
        var churn = try FileChurn(store, rest)
        try churn.run()
      case "undone": try UndoneTransaction(store).run()
      case "crowd": try Crowd(store, rest).run()
      case "full": try FullDisk(store, rest).run()
      #if !canImport(Darwin)
        case "services": try Services(store, rest).run()
        case "services-witness": try Services(store, ["first", "app"]).runAsWitness()
      #endif
      case "soak": try Soak(store, rest).run()
      case "file-memory": try SearchedProcess(store, rest).run(file: rest.last ?? "")
      case "memory": try SearchedProcess(store, rest).run()
      case "forked-writer": try SearchedProcess(store, rest).runForkedWriter()
      case "forked": try SearchedProcess(store, rest).runForked()
      default: throw Unusable("no verb \(arguments[1])")
      }
    } catch {
      say("error \(error)")
      exit(1)
    }
  }
}

struct Unusable: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Writes a line with one call, so a kill cannot cut it in two.
func say(_ line: String) {
  let line = line + "\n"
  _ = line.withCString { write(1, $0, strlen($0)) }
}

/// Runs a step, and says how it ended.
func answer(_ step: String, _ body: () throws -> Void) {
  do {
    try body()
    say("\(step) done")
  } catch {
    say("\(step) \((error as? AtRestError)?.code.rawValue ?? "\(error)")")
  }
}
