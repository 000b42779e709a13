import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import AtRestKeychain
import Foundation

struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check that files and folders are unchanged since they were stamped.",
    discussion: """
      Uses the stamp in FILE.stamp or, without one, at the end of the file; for a folder, \
      FOLDER.manifest. Prints "unchanged FILE", or the entries added (A), removed (R) and changed (M) \
      in a folder, one per line, followed by a tab and what was changed. Ends with exit code 6 if \
      anything differs, 5 if another key made the stamp, 1 if no stamp exists.

      With --public-key-file, no store is needed.

      EXAMPLES
        atrest check report.pdf photo.jpeg dist
        atrest check --public-key-file release.pem dist
        tar c src | atrest check --public-key-file release.pem --stamp src.stamp -
      """)

  @OptionGroup(title: "Key") var key: StampKeyOptions
  @OptionGroup var application: ApplicationPasswordOptions
  @OptionGroup(title: "Store") var unlock: UnlockOptions

  @Option(help: ArgumentHelp("A public key, in PEM or DER.", valueName: "file"))
  var publicKeyFile: String?

  @Option(
    help: ArgumentHelp(
      "The stamp or manifest to check one file or folder by.", valueName: "file"))
  var stamp: String?

  @Flag(help: "Print JSON.")
  var json = false

  @Argument(
    help: "The files and folders to check, - for standard input.", completion: .file())
  var files: [String]

  /// The state of a file or folder, in the form of the JSON.
  private struct Line: Encodable {
    struct Change: Encodable {
      let path: String
      let what: [FolderDifference.Aspect]
    }
    let file: String
    var status = "unchanged"
    var message: String?
    var added: [String]?
    var removed: [String]?
    var changed: [Change]?
  }

  func validate() throws {
    guard publicKeyFile == nil || (key.tag == nil && key.keyName == nil) else {
      throw ValidationError("Use either --public-key-file or a key of the store, not both.")
    }
    guard stamp == nil || files.count == 1 else {
      throw ValidationError("--stamp requires exactly one file.")
    }
    guard !files.contains("-") || stamp != nil else {
      throw ValidationError("Standard input requires --stamp.")
    }
    let inputs =
      [unlock.passcodeFile, application.applicationPasswordFile, publicKeyFile, stamp] + files
    guard inputs.filter({ $0 == "-" }).count < 2 else {
      throw ValidationError("Standard input can be read only once.")
    }
  }

  func run() throws {
    let keys = try Keys(self)
    var lines: [Line] = []
    var refusals: [AtRestError] = []
    for file in files {
      var line = Line(file: file)
      do {
        try check(StampedPath(file), keys, &line)
      } catch let error as AtRestError {
        // Do not ask for the passcode again for the next file.
        if keys.isRefused { throw error }
        // The other files are still checked.
        refusals.append(error)
        if files.count > 1 { Output.note(error.message) }
        if line.status == "unchanged" { line.status = error.code.rawValue }
        line.message = error.message
      }
      if !json { try write(line) }
      lines.append(line)
    }
    if json { try Output.writeJSON(["checked": lines]) }
    guard let worst = refusals.first(where: { $0.refusal == .damaged }) ?? refusals.first else {
      return
    }
    guard files.count == 1 else { throw ExitCode(ExitStatus(worst).rawValue) }
    throw worst
  }

  /// The keys for the checks, created when they are first needed: a public key needs no store.
  private final class Keys {
    private let command: CheckCommand
    private let fixed: FileStampVerifier?
    private var keychain: Keychain?
    private var verifiers: [Bool: FileStampVerifier] = [:]
    /// True if the store did not provide a key.
    private(set) var isRefused = false

    init(_ command: CheckCommand) throws {
      self.command = command
      fixed = try command.publicKeyFile.map {
        try FileStampVerifier(publicKey: PublicKey(importing: MessageInput.small($0)))
      }
    }

    func verifier(of method: FileStamp.Method) throws -> FileStampVerifier {
      if let fixed { return fixed }
      let isSignature = method != .hmacSHA256
      if let known = verifiers[isSignature] { return known }
      guard !isSignature || command.key.tag != nil else {
        throw AtRestError.invalid(
          "The stamp is a signature (\(method)).",
          remedy: "Select its key with --tag or --public-key-file.")
      }
      do {
        // The keychain is opened once, so the passcode is requested once.
        let keychain = try self.keychain ?? command.unlock.open(directly: true)
        self.keychain = keychain
        let verifier = try command.key.verifier(
          keychain, context: command.application.context("Check"))
        verifiers[isSignature] = verifier
        return verifier
      } catch {
        isRefused = true
        throw error
      }
    }
  }

  private func check(_ path: StampedPath, _ keys: Keys, _ line: inout Line) throws {
    let stampPath = stamp ?? path.stampPath
    if path.kind == .folder {
      guard let bytes = try contents(of: stampPath, limit: nil) else {
        throw notStamped(path, "\(stampPath) does not exist")
      }
      let manifest = try FolderManifest(decoding: bytes, name: stampPath)
      let verifier = try keys.verifier(of: manifest.stamp.method)
      let difference = try StampProgress.shown(path.text) {
        try verifier.compare(
          path.url, with: manifest, leavingOut: [SystemPath.url(stampPath)], progress: $0)
      }
      guard !difference.isUnchanged else { return }
      line.status = "changed"
      line.added = difference.added.map(\.description)
      line.removed = difference.removed.map(\.description)
      line.changed = difference.changed.map {
        Line.Change(path: $0.path.description, what: $0.aspects)
      }
      throw AtRestError.damaged(
        "\(path.text) was changed after it was stamped: \(difference.count) of its entries differ.",
        remedy: "Get them from their source again, or stamp them again if this was intended.")
    }
    // A stamp that exceeds this limit is refused when it is decoded.
    if let bytes = try contents(of: stampPath, limit: 1 << 16) {
      let stamp = try FileStamp(decoding: bytes, name: stampPath)
      let verifier = try keys.verifier(of: stamp.method)
      try StampProgress.shown(path.text) {
        path.kind == .input
          ? try verifier.check(contentsOf: .standardInput, against: stamp)
          : try verifier.check(path.url, against: stamp, progress: $0)
      }
    } else {
      guard let stamp = try FileStamp.appended(to: path.url) else {
        throw notStamped(path, "\(stampPath) does not exist, and the file does not end with one")
      }
      let verifier = try keys.verifier(of: stamp.method)
      try StampProgress.shown(path.text) { _ = try verifier.checkAppended(path.url, progress: $0) }
    }
  }

  private func notStamped(_ path: StampedPath, _ why: String) -> AtRestError {
    AtRestError(
      .notStamped, "\(path.text) has no stamp: \(why).",
      remedy: "Pass the stamp with --stamp. If the file had one, it was removed.")
  }

  /// Returns the bytes of a stamp or manifest, or nil if the default file does not exist.
  private func contents(of path: String, limit: Int?) throws -> Data? {
    if path == "-" { return try MessageInput.contents(of: path) }
    guard FileStatus.at(path) != nil else {
      guard stamp != nil else { return nil }
      throw AtRestError(.notFound, "There is no file \(path).", remedy: "Check the path.")
    }
    guard stamp != nil else { return try foundContents(of: path, limit: limit) }
    guard let limit else {
      return try MessageInput.contents(of: path, limit: Int(FolderManifest.mostBytes))
    }
    return try MessageInput.head(of: path, count: limit)
  }

  /// Returns the bytes of a stamp or manifest at its default path. It must be a regular file,
  /// because reading any other file could block.
  private func foundContents(of path: String, limit: Int?) throws -> Data {
    let file = SystemPath.url(path)
    let head = try ProtectedFiles.head(of: file, count: limit ?? FolderManifest.magic.count)
    // Only the beginning of a file that is not a manifest is returned, because it may have any
    // size.
    guard limit == nil, head.elementsEqual(FolderManifest.magic) else { return head }
    let size = FileStatus.at(path)?.size ?? 0
    guard size <= FolderManifest.mostBytes else {
      throw AtRestError.damaged(
        "\(path) is larger than any manifest.", remedy: "Restore the original manifest.")
    }
    return try ProtectedFiles.head(of: file, count: Int(size))
  }

  private func write(_ line: Line) throws {
    func write(_ letter: String, _ path: String, _ what: [FolderDifference.Aspect] = []) throws {
      let path = Output.printable("\(line.file)/\(path)")
      let list = what.isEmpty ? "" : "\t" + what.map(\.rawValue).joined(separator: ", ")
      Output.write("\(letter) \(path)\(list)\n")
    }
    switch line.status {
    case "unchanged": Output.write("unchanged \(Output.printable(line.file))\n")
    case "changed":
      for path in line.added ?? [] { try write("A", path) }
      for path in line.removed ?? [] { try write("R", path) }
      for change in line.changed ?? [] { try write("M", change.path, change.what) }
    default: break
    }
  }
}
