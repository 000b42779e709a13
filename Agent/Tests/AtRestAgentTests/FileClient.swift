import AtRestCrypto
import AtRestFiles
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation

/// The program `atrest-agent`, and a process that has not unlocked the store and uses protected files.
final class FileClient {
  static let contents = Data("contents of the file".utf8)

  let run: AgentRun
  private(set) var agent: AgentProgram
  let keybag: Keybag
  let files: ProtectedFiles

  /// Starts an agent, and unlocks the store in it.
  ///
  /// - Parameter grant: The access that is granted to files: nil for none, or whether it includes
  ///   writing.
  init(grant mayWrite: Bool? = true, group: String = AgentGrant.filesGroup) throws {
    run = try AgentRun()
    agent = try AgentProgram(run.location, in: run.folder)
    keybag = try run.location.openKeybag()
    files = ProtectedFiles(keybag)
    try unlock()
    if let mayWrite { try grant(group, mayWrite: mayWrite) }
  }

  func unlock() throws {
    try agent.connect().send(.unlock(passcode: AgentRun.secret(AgentRun.passcode)))
  }

  func lock() throws { try agent.connect().send(.lock) }

  /// Kills the agent, and starts another one, which is locked.
  func restart() throws {
    agent.kill()
    agent = try AgentProgram(run.location, in: run.folder)
  }

  func grant(_ group: String, mayWrite: Bool) throws {
    try agent.connect().send(
      .addGrant(
        AgentGrant(AgentEvidence(.user, String(geteuid())), groups: [group], mayWrite: mayWrite),
        passcode: AgentRun.secret(AgentRun.passcode)))
  }

  func path(_ name: String) -> URL { run.folder.appendingPathComponent(name) }

  /// Writes a file as a process does that unlocked the store itself.
  func writeDirectly(_ name: String, _ protection: FileProtection) throws {
    let direct = try run.location.openKeybag()
    try direct.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try ProtectedFiles(direct).write(Self.contents, to: path(name), protection: protection)
    direct.close()
  }

  /// The operations on the keys of files in the audit log, with their answers.
  var recorded: [String] {
    get throws {
      let entries: [AgentLogEntry] = try agent.connect().document(.log(count: 100))
      return entries.filter { $0.operation.hasSuffix("file-key") }
        .map { "\($0.operation) \($0.answer)" }
    }
  }

  /// Returns the code with which a call is refused, or nil if it is not.
  func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }
}
