import ArgumentParser
import AtRestAudit
import Foundation

/// `atrest-audit checklist`
struct ChecklistCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checklist",
    abstract: "Show the questions that no program can answer, with your answers.")

  @ArgumentParser.Argument(help: "The folder of the project.", completion: .directory)
  var folder = "."

  @Option(help: "The settings file, instead of \(Settings.fileName).", completion: .file())
  var config: String?

  @Flag(help: "Write JSON.") var json = false

  func run() throws {
    let path = config ?? folder + "/" + Settings.fileName
    var settings = Settings()
    if let data = FileManager.default.contents(atPath: path) {
      settings = try Settings(
        yaml: String(decoding: data, as: UTF8.self), path: path,
        rules: Set(Rulebook.all.map(\.id)))
    } else if config != nil {
      throw AuditError("The settings file \(path) cannot be read. Check its path.")
    }
    let answers = Checklist.answers(settings)
    guard !json else { return try Output.write(JSONReport.text(of: answers)) }
    var output = ""
    for (question, answer) in zip(Checklist.all, answers) {
      output += """
        \(question.id) (\(question.reference))
          \(question.question)
          \(question.guidance)
          \(answer.answer.map { "Answer: \($0)" } ?? "Not answered.")


        """
    }
    let example = Checklist.all.first?.id ?? ""
    output += """
      Write the answers into \(Settings.fileName). Every report shows them:

        checklist:
          \(example): "Compared on 2026-11-01, see docs/privacy.md"

      """
    try Output.write(output)
  }
}
