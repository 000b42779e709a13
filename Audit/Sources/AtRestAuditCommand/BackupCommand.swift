import ArgumentParser
import AtRestAudit
import AtRestContainers
@_spi(Tools) import AtRestCrypto
import Foundation

/// `atrest-audit backup list|extract`
struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "List or extract the files of a device backup.",
    discussion: "'atrest-audit container' searches a backup for secrets.",
    subcommands: [List.self, Extract.self])

  struct Selection: ParsableArguments {
    @Option(
      parsing: .singleValue,
      help: "Only this domain, or the app with this bundle identifier. May be repeated.")
    var domain: [String] = []

    @Option(help: "Only paths that begin with this prefix.")
    var path: String?

    func has(_ entry: Backup.Entry) -> Bool {
      let isOfDomain =
        domain.isEmpty
        || domain.contains { entry.domain == $0 || entry.domain == "AppDomain-\($0)" }
      return isOfDomain && (path.map(entry.path.hasPrefix) ?? true)
    }
  }

  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list", abstract: "List the files with their sizes and protection classes.")

    @ArgumentParser.Argument(help: "The folder of the backup.", completion: .directory)
    var backup: String
    @OptionGroup var selection: Selection
    @OptionGroup var password: PasswordOptions
    @Flag(help: "Write JSON, one object per line.")
    var json = false

    private struct Line: Encodable {
      let domain: String
      let path: String
      let kind: String
      let size: Int
      let protectionClass: String?
      let encrypted: Bool
    }

    func run() throws {
      let opened = try password.open(backup)
      let info = opened.info
      let about = [info.deviceName, info.deviceModel, info.systemVersion.map { "iOS \($0)" }]
        .compactMap(\.self).joined(separator: ", ")
      let state = opened.isEncrypted ? "encrypted" : "not encrypted"
      let name = (about.isEmpty ? backup : about).printable
      Output.note("\(name): \(state), \(opened.files.count) entries.")
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      var text = ""
      for entry in opened.files where selection.has(entry) {
        if json {
          let line = Line(
            domain: entry.domain, path: entry.path, kind: entry.kind.rawValue, size: entry.size,
            protectionClass: entry.protectionClass?.description, encrypted: entry.isEncrypted)
          text += String(decoding: try encoder.encode(line), as: UTF8.self) + "\n"
        } else if entry.kind == .file {
          let name = "\(entry.domain)/\(entry.path)".printable
          text += "\(entry.size)\t\(entry.protectionClass?.description ?? "-")\t\(name)\n"
        }
      }
      try Output.write(text)
      for skip in opened.skipped {
        Output.note("not read: \(skip.path): \(skip.reason)")
      }
    }
  }

  struct Extract: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "extract", abstract: "Write decrypted files of a backup into a folder.",
      discussion: "The files contain the owner's secrets in the clear. Delete them after use.")

    @ArgumentParser.Argument(help: "The folder of the backup.", completion: .directory)
    var backup: String
    @Option(name: .shortAndLong, help: "The folder to write into.", completion: .directory)
    var output: String
    @OptionGroup var selection: Selection
    @OptionGroup var password: PasswordOptions

    func run() throws {
      guard !Self.leads(output, into: backup) else {
        throw AuditError(
          "\(output) is inside the backup, and backups are not altered. Use another folder.")
      }
      let opened = try password.open(backup)
      let result = try BackupExtraction(of: opened, into: output).run(selection.has)
      for skip in result.skipped {
        Output.note("not written: \(skip.path): \(skip.reason)")
      }
      Output.note("\(output): \(result.written.count) files, \(result.size) bytes.")
      if !result.skipped.isEmpty { throw ExitCode(ExitStatus.findings.rawValue) }
    }

    /// Returns true if a folder, existing or to be created, is inside another folder.
    private static func leads(_ path: String, into folder: String) -> Bool {
      guard let outer = resolved(folder) else { return false }
      let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
      return [path, parent].compactMap(resolved).contains { $0.starts(with: outer) }
    }

    /// The parts of a path with links resolved, or nil if nothing exists there.
    private static func resolved(_ path: String) -> [String]? {
      guard let whole = realpath(path, nil) else { return nil }
      defer { free(whole) }
      return String(cString: whole).utf8.split(separator: UInt8(ascii: "/")).map {
        String(Substring($0))
      }
    }
  }
}
