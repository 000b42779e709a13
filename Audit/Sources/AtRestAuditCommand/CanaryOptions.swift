import ArgumentParser
import AtRestAudit
import AtRestContainers
import Foundation

/// What the tester typed into the app, and how to open what holds it.
struct CanaryOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: "A text that was typed into the app on purpose, to see where it lies. May be repeated.")
  var canary: [String] = []

  @Option(
    help: "A file of such texts: one a line, 'name=text' or the text; '-' is standard input.",
    completion: .file())
  var canaries: String?

  @Option(
    help: "Protection classes of the files: a line each, class, tab, path below the container.",
    completion: .file())
  var protectionListing: String?

  @OptionGroup var password: PasswordOptions

  func list() throws -> [Canary] {
    var list = try canary.enumerated().map { try Canary(name: "\($0 + 1)", value: $1) }
    guard let canaries else { return list }
    let data: Data
    if canaries == "-" {
      data = FileHandle.standardInput.readDataToEndOfFile()
    } else if let read = FileManager.default.contents(atPath: canaries) {
      data = read
    } else {
      throw AuditError("The canaries \(canaries) cannot be read.")
    }
    list += try Canary.list([UInt8](data))
    return list
  }

  private static func listing(_ path: String) throws -> ProtectionListing {
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(data: data, encoding: .utf8)
    else { throw AuditError("The listing \(path) cannot be read, or is no UTF-8.") }
    return try ProtectionListing(text)
  }

  /// The audit of a container: a folder, an archive, or a backup, which is unlocked first.
  func audit(of path: String, _ settings: Settings) throws -> AuditReport {
    guard FileManager.default.fileExists(atPath: path) else {
      throw AuditError("There is no \(path).")
    }
    let name = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
    let canaries = try list()
    guard BackupCommand.isBackup(path) else {
      var audit = ContainerAudit(name: name, try ContainerSource(path))
      audit.settings = settings
      audit.canaries = canaries
      audit.listing = try protectionListing.map(Self.listing)
      return try audit.run()
    }
    let backup = try password.open(path)
    var audit = ContainerAudit(name: name, ContainerSource(backup))
    audit.settings = settings
    audit.canaries = canaries
    let keychain = try BackupKeychain(of: backup)
    var items = KeychainAudit(name: name, items: keychain.items, skipped: keychain.skipped)
    items.settings = settings
    items.canaries = canaries
    return try audit.run().adding(items.run())
  }
}
