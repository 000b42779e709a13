import ArgumentParser
import AtRestAudit
import AtRestContainers
import Foundation

/// The text that the tester typed into the app, and the options for opening containers.
struct CanaryOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: "Text to search for, which you typed into the app. May be repeated.")
  var canary: [String] = []

  @Option(
    help: "A file with such text, 'name=text' or 'text', one per line. '-' is standard input.",
    completion: .file())
  var canaries: String?

  @Option(
    help: "Protection classes of the files. Each line has a class, a tab and a path.",
    completion: .file())
  var protectionListing: String?

  @Option(
    help:
      "Seconds in which values of the container are tried as passphrases of its encrypted databases."
  )
  var passphraseTime = 20

  @OptionGroup var password: PasswordOptions

  func validate() throws {
    guard (0...86_400).contains(passphraseTime) else {
      throw ValidationError("--passphrase-time is a number of seconds from 0 to 86400.")
    }
  }

  private var limits: WalkLimits {
    var limits = WalkLimits.standard
    limits.passphraseTime = .seconds(passphraseTime)
    return limits
  }

  func list() throws -> [Canary] {
    var list = try canary.enumerated().map { try Canary(name: "\($0 + 1)", value: $1) }
    guard let canaries else { return list }
    let data: Data
    if canaries == "-" {
      data = FileHandle.standardInput.readDataToEndOfFile()
    } else if let read = FileManager.default.contents(atPath: canaries) {
      data = read
    } else {
      throw AuditError("The canary file \(canaries) cannot be read. Check the path.")
    }
    list += try Canary.list([UInt8](data))
    return list
  }

  private static func listing(_ path: String) throws -> ProtectionListing {
    guard let data = FileManager.default.contents(atPath: path),
      let text = String(data: data, encoding: .utf8)
    else { throw AuditError("The listing \(path) cannot be read as UTF-8. Check the file.") }
    return try ProtectionListing(text)
  }

  /// Audits a container: a folder, an archive, or a backup, which is unlocked first.
  func audit(of path: String, _ settings: Settings) throws -> AuditReport {
    guard FileManager.default.fileExists(atPath: path) else {
      throw AuditError("\(path) does not exist. Check the path.")
    }
    let name = URL(fileURLWithPath: path).standardizedFileURL.lastPathComponent
    let canaries = try list()
    guard Backup.isBackup(path) else {
      var audit = ContainerAudit(name: name, try ContainerSource(path))
      audit.settings = settings
      audit.canaries = canaries
      audit.limits = limits
      audit.listing = try protectionListing.map(Self.listing)
      return try audit.run()
    }
    let backup = try password.open(path)
    var audit = ContainerAudit(name: name, ContainerSource(backup))
    audit.settings = settings
    audit.canaries = canaries
    audit.limits = limits
    let keychain = try BackupKeychain(of: backup)
    audit.keychain = keychain.items
    var items = KeychainAudit(name: name, items: keychain.items, skipped: keychain.skipped)
    items.settings = settings
    items.canaries = canaries
    return try audit.run().adding(items.run())
  }
}
