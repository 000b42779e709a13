import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

struct UnprotectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unprotect",
    abstract: "Open protected files, and write their original contents.",
    discussion: """
      Writes FILE for each FILE.protected, with mode 0600; other names need --output. Each file's \
      header says whether the store, a passphrase or a private key opens it. With --passphrase, \
      --passphrase-file, --identity or --key-tag, nothing else is used, so a drill shows whether that way \
      in works without the store. Folders are searched \
      for protected files. A damaged file leaves no result; standard output receives the contents \
      before the damage.

      Files of other libraries can be read too: RNCryptor version 3, property lists with \
      EncryptionData, EncryptionIV and EncryptionSalt, and these three as files; none of them from \
      a pipe. The last two are not authenticated: changes to them cannot be detected.

      The class of a file is stored in the file. With --class, files of another class, and files \
      that no store protects, are refused (exit code 5), so nobody can replace your files with them.

      EXAMPLES
        atrest unprotect report.pdf.protected
        atrest unprotect --class complete diary.txt.protected
        atrest unprotect -o - notes.txt.protected | less
        atrest unprotect --identity key.pem letter.txt.protected
        atrest unprotect --iv iv.bin --salt salt.bin -o notes.txt data.bin
      """)

  @OptionGroup(title: "Key") var keys: FileKeyOptions

  @Flag(help: "Open with the passphrase, asked for on the terminal.")
  var passphrase = false

  @Option(
    name: .customLong("class"),
    help: ArgumentHelp("Open only files of this class.", valueName: "class"))
  var required: FileProtection?

  @OptionGroup(title: "Parts of another library") var parts: LegacyPartsOptions
  @OptionGroup(title: "Result") var result: FileOutputOptions

  @Argument(help: "Files and folders, - for standard input.", completion: .file())
  var files: [String]

  func validate() throws {
    try result.check(files)
    try parts.check(files)
    guard required == nil || parts.salt == nil else {
      throw ValidationError("--class cannot be used with --salt: only a store has classes.")
    }
    guard !passphrase || keys.passphrase.passphraseFile == nil else {
      throw ValidationError("Use either --passphrase or --passphrase-file, not both.")
    }
    try StandardInput.check(keys.inputs + parts.inputs + files)
  }

  func run() throws {
    let failures = Failures()
    let walk = FileWalk(.protected, failures: failures, isQuiet: result.quiet)
    let jobs = try result.jobs(walk.places(files), failures: failures, naming: Self.name)
    let keyring = keys.keyring(askingPassphrase: passphrase)
    let files = keyring.files
    try FileBatch(options: result, failures: failures).run(jobs) { jobs, progress in
      let legacy = jobs.map { job in Result { try legacyFile(job.source) } }
      let transfers = jobs.map {
        ProtectedFiles.FileTransfer(
          from: $0.source.source,
          to: $0.destination.destination(replacing: result.force, permissions: nil))
      }
      var opened = files.unprotect(
        zip(transfers, legacy).filter { _, legacy in
          if case .success(.none) = legacy { true } else { false }
        }.map(\.0),
        requiring: required, progress: progress)[...]
      return zip(transfers, legacy).map { transfer, legacy in
        legacy.flatMap { legacy in
          guard let legacy else { return opened.removeFirst() }
          return Result { try legacy.unprotect(to: transfer.destination, keyring, parts) }
        }
      }
    }
    try failures.end()
  }

  private func legacyFile(_ place: FilePlace) throws -> LegacyFile? {
    guard let file = try LegacyFile(place, parts) else { return nil }
    guard let required else { return file }
    throw AtRestError(
      .otherClass,
      "\(place.name) is in a format of another library, and class \(required.rawValue) is required.",
      remedy: "Check the origin of the file. If it is the right one, omit --class.")
  }

  private static func name(_ path: String) throws -> String {
    let name = SystemPath.name(of: path)
    guard path.hasSuffix(ProtectCommand.suffix), name != ProtectCommand.suffix else {
      throw AtRestError.invalid(
        "\(path) does not end in \(ProtectCommand.suffix), so its result has no name.",
        remedy: "Pass one with --output.")
    }
    return String(path.dropLast(ProtectCommand.suffix.count))
  }
}
