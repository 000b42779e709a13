import ArgumentParser
import AtRestAudit
import AtRestContainers
@_spi(Tools) import AtRestCrypto
import Foundation

/// `atrest-audit diff SNAPSHOT… PATH`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what changed in a container since a snapshot.",
    discussion: """
      Take a snapshot before you use the app, use the app, and name the container again. Lists the \
      files and values that are new, changed or gone. The exit code is 1 if there are any.

      To see what survives a logout, take a second snapshot before it:

        atrest-audit snapshot Bank -o installed.json
        atrest-audit snapshot Bank --since installed.json -o used.json
        atrest-audit diff installed.json used.json Bank

      Lists what the use added or changed and what is still there. The exit code is 1 if anything is.
      """)

  @ArgumentParser.Argument(
    help: "One or two files that 'atrest-audit snapshot' wrote, and the container to compare.",
    completion: .file())
  var paths: [String]

  @Flag(help: "Write JSON.")
  var json = false

  /// The maximum number of values that are listed for each file.
  private static let listed = 50

  func validate() throws {
    guard (2...3).contains(paths.count) else {
      throw ValidationError("Name one or two snapshots, and the container to compare.")
    }
  }

  func run() throws {
    for path in paths where !FileManager.default.fileExists(atPath: path) {
      throw AuditError("\(path) does not exist. Check the path.")
    }
    let snapshots = try paths.dropLast().map { try ContainerSnapshot(contentsOf: $0) }
    let new = try ContainerSnapshot(
      of: ContainerSource(paths[paths.count - 1]), comparableTo: snapshots[0])
    for problem in new.problems { Output.note("not read: \(problem)") }
    guard snapshots.count == 1 else { return try show(survivalOf: snapshots, at: new) }
    let diff = ContainerDiff(from: snapshots[0], to: new)
    try write(diff, Self.text(of: diff))
    if !diff.files.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
  }

  private func show(survivalOf snapshots: [ContainerSnapshot], at end: ContainerSnapshot) throws {
    guard
      let survival = ContainerSurvival(before: snapshots[0], after: snapshots[1], at: end)
    else {
      throw AuditError(
        "The values of the two snapshots cannot be compared. Take the second one with --since "
          + "\(paths[0]).")
    }
    try write(survival, Self.text(of: survival))
    if !survival.files.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
  }

  private func write(_ result: some Encodable, _ text: String) throws {
    guard json else { return try Output.write(text) }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try Output.write(String(decoding: try encoder.encode(result), as: UTF8.self) + "\n")
  }

  private static func text(of survival: ContainerSurvival) -> String {
    var text = ""
    for file in survival.files {
      text += "= \(file.path.printable)\(file.isSame ? " (the whole file)" : "")\n"
      text += list("=", file.kept) + list("-", file.deleted, note: " (deleted, still readable)")
    }
    if survival.files.isEmpty { text += "Nothing that the use left is still there.\n" }
    return text + "Gone or overwritten: \(survival.gone).\n"
  }

  private static func text(of diff: ContainerDiff) -> String {
    if diff.files.isEmpty { return "Nothing changed.\n" }
    var text = ""
    for file in diff.files {
      let size =
        switch (file.oldSize, file.newSize) {
        case (let old?, let new?): " (\(old) to \(new) bytes)"
        case (nil, let size?), (let size?, nil): " (\(size) bytes)"
        case (nil, nil): ""
        }
      text += "\(mark(file.kind)) \(file.path.printable)\(size)\n"
      text += list("+", file.addedValues) + list("~", file.changedValues)
      text += list("-", file.removedValues)
    }
    return text
  }

  private static func mark(_ kind: ContainerDiff.Kind) -> String {
    switch kind {
    case .added: "+"
    case .changed: "~"
    case .removed: "-"
    }
  }

  private static func list(_ mark: String, _ values: [String], note: String = "") -> String {
    var text = values.prefix(listed).map { "    \(mark) \($0.printable)\(note)\n" }.joined()
    if values.count > listed { text += "    \(mark) \(values.count - listed) more\n" }
    return text
  }
}
