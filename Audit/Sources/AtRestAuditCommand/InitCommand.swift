import ArgumentParser
import AtRestAudit
import Foundation

/// `atrest-audit init`
struct InitCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Write a commented settings file for a project.")

  @ArgumentParser.Argument(help: "The folder of the project.", completion: .directory)
  var folder = "."

  func run() throws {
    let path = folder + "/" + Settings.fileName
    guard !FileManager.default.fileExists(atPath: path) else {
      throw AuditError("\(path) exists already. Edit it, or remove it first.")
    }
    try Output.write(Data(Settings.template.utf8), to: path)
    Output.note("Wrote \(path).")
  }
}
