import ArgumentParser
import AtRestAudit
import AtRestContainers
@_spi(Tools) import AtRestCrypto
import Foundation

/// `atrest-audit diff SNAPSHOT PATH`
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Show what changed in a container since a snapshot.",
    discussion: """
      Take a snapshot before you use the app, use the app, and name the container again. Lists the \
      files and values that are new, changed or gone. The exit code is 1 if there are any.
      """)

  @ArgumentParser.Argument(help: "A file that 'atrest-audit snapshot' wrote.", completion: .file())
  var snapshot: String

  @ArgumentParser.Argument(help: "The container to compare.", completion: .file())
  var path: String

  @Flag(help: "Write JSON.")
  var json = false

  /// The maximum number of values that are listed for each file.
  private static let listed = 50

  func run() throws {
    for path in [snapshot, path] where !FileManager.default.fileExists(atPath: path) {
      throw AuditError("\(path) does not exist. Check the path.")
    }
    let old = try ContainerSnapshot(contentsOf: snapshot)
    let new = try ContainerSnapshot(of: ContainerSource(path), comparableTo: old)
    let diff = ContainerDiff(from: old, to: new)
    for problem in new.problems { Output.note("not read: \(problem)") }
    if json {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      try Output.write(String(decoding: try encoder.encode(diff), as: UTF8.self) + "\n")
    } else {
      try Output.write(Self.text(of: diff))
    }
    if !diff.files.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
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

  private static func list(_ mark: String, _ values: [String]) -> String {
    var text = values.prefix(listed).map { "    \(mark) \($0.printable)\n" }.joined()
    if values.count > listed { text += "    \(mark) \(values.count - listed) more\n" }
    return text
  }
}
