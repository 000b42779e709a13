import ArgumentParser
import AtRestAudit
import AtRestContainers
import Foundation

/// `atrest-audit keychain FILE`
struct KeychainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain", abstract: "Assess who can read the items of a keychain.",
    discussion: """
      FILE is a JSON dump made by objection ('ios keychain dump --json FILE') or the database of a \
      simulator's keychain (keychain-2-debug.db).
      """)

  @ArgumentParser.Argument(help: "A dump or a database.", completion: .file())
  var file: String

  @OptionGroup var typed: CanaryOptions
  @OptionGroup var reports: ReportOptions

  func run() throws {
    guard FileManager.default.fileExists(atPath: file) else {
      throw AuditError("\(file) does not exist. Check the path.")
    }
    let all = Rulebook.all
    let (settings, _) = try reports.settings(
      in: FileManager.default.currentDirectoryPath, rules: Set(all.map(\.id)))
    let url = URL(fileURLWithPath: file).standardizedFileURL
    let wal = FileManager.default.fileExists(atPath: url.path + "-wal") ? url.path + "-wal" : nil
    let dump = try KeychainDump.read(
      ByteSource(file: url.path), wal: try wal.map { try ByteSource(file: $0) },
      path: url.lastPathComponent)
    var audit = KeychainAudit(
      name: url.deletingLastPathComponent().lastPathComponent, items: dump.items,
      skipped: dump.skipped)
    audit.settings = settings
    audit.canaries = try typed.list()
    let report = audit.run()
    try reports.write(report, rules: all, settings: settings)
    if report.fails(settings) { throw ExitCode(ExitStatus.findings.rawValue) }
  }
}
