import ArgumentParser
import AtRestAudit
import AtRestContainers
import Foundation

/// `atrest-audit keychain FILE`
struct KeychainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keychain", abstract: "Judge the items of a keychain by who can read them.",
    discussion: """
      FILE is a dump in JSON as objection writes it ('ios keychain dump --json FILE'), or the \
      database of a simulator's keychain (keychain-2-debug.db).
      """)

  @ArgumentParser.Argument(help: "A dump, or a database.", completion: .file())
  var file: String

  @OptionGroup var typed: CanaryOptions
  @OptionGroup var reports: ReportOptions

  func run() throws {
    guard FileManager.default.fileExists(atPath: file) else {
      throw AuditError("There is no \(file).")
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
