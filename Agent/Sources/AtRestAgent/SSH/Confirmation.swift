import AtRestCrypto
import Foundation

/// Asks the user to confirm the use of a key, by a program as OpenSSH calls it: with the question
/// as its argument and `SSH_ASKPASS_PROMPT=confirm`. The exit code 0 means yes.
public struct Confirmation: Sendable {
  private let program: String?

  /// Creates a confirmation by a program, or one that always refuses.
  public init(program: String?) { self.program = program }

  /// The program that `SSH_ASKPASS` names.
  public static var standard: Confirmation {
    Confirmation(program: ProcessInfo.processInfo.environment["SSH_ASKPASS"])
  }

  /// Throws ``AtRestError/Code/interactionNotAllowed`` without a program, and
  /// ``AtRestError/Code/canceled`` if the user does not confirm.
  func ask(_ question: String) throws {
    guard let program, program.hasPrefix("/") else {
      throw AtRestError(
        .interactionNotAllowed, "Nobody can be asked to confirm the use of the key.",
        remedy: "Start the agent with SSH_ASKPASS.")
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = [question]
    process.environment = ProcessInfo.processInfo.environment.merging([
      "SSH_ASKPASS_PROMPT": "confirm"
    ]) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    do {
      try process.run()
    } catch {
      throw AtRestError(
        .interactionNotAllowed, "Could not run \(program).", remedy: "Check SSH_ASKPASS.",
        cause: error)
    }
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw AtRestError(
        .canceled, "The use of the key was not confirmed.", remedy: "Try again, and confirm it.")
    }
  }
}
