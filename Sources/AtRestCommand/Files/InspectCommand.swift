import ArgumentParser
import AtRestCrypto
import Foundation

struct InspectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "inspect",
    abstract: "Show the headers of protected files, without a key.",
    discussion: """
      Headers are authenticated only when a file is opened. Folders are searched for protected files. \
      The command ends with the worst exit code of all files; 1 for a file that is not protected.

      EXAMPLES
        atrest inspect report.pdf.protected
        atrest inspect --json backups/ | jq '.[].contents'
      """)

  @Flag(help: "Print JSON: an array with an object for each file.")
  var json = false

  @Argument(help: "Files and folders.", completion: .file())
  var files: [String]

  func validate() throws {
    guard !files.contains("-") else {
      throw ValidationError("Standard input cannot be inspected; pass a file.")
    }
  }

  func run() throws {
    let failures = Failures()
    let places = FileWalk(.protected, failures: failures, isQuiet: false).places(files)
    var reports: [FileReport] = []
    for path in places.compactMap(\.path) {
      do {
        reports.append(try FileReport(path))
        if !json, let report = reports.last { Output.write(report.text) }
      } catch let error as AtRestError {
        failures.report(error)
        reports.append(FileReport(path, refused: error))
      }
    }
    if json { try Output.writeJSON(reports) }
    try failures.end()
  }
}
