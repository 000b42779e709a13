import ArgumentParser
import AtRestAudit
import Foundation

/// `atrest-audit checklist`
struct ChecklistCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checklist",
    abstract: "Show what no program can judge, and what the settings answer.")

  @ArgumentParser.Argument(help: "The folder of the project.", completion: .directory)
  var folder = "."

  @Option(help: "Settings, instead of \(Settings.fileName).", completion: .file())
  var config: String?

  @Flag(help: "As JSON.") var json = false

  func run() throws {
    let path = config ?? folder + "/" + Settings.fileName
    var settings = Settings()
    if let data = FileManager.default.contents(atPath: path) {
      settings = try Settings(
        yaml: String(decoding: data, as: UTF8.self), path: path,
        rules: Set(Rulebook.all.map(\.id)))
    } else if config != nil {
      throw AuditError("The settings \(path) cannot be read.")
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
      Answers stand in \(Settings.fileName), and in every report:

        checklist:
          \(example): "Compared on 2026-11-01, see docs/privacy.md"

      """
    try Output.write(output)
  }
}
