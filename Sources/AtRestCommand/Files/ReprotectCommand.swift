import ArgumentParser
import AtRestCrypto
import AtRestFiles
import Foundation

struct ReprotectCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reprotect",
    abstract: "Change who reads protected files; their contents stay as they are.",
    discussion: """
      Wraps each file's key anew, in an instant, whatever its size. Whoever could read a file \
      before, and has a copy of it, still can: to shut somebody out, unprotect and protect it. \
      Folders are walked for the protected files in them.

      EXAMPLES
        atrest reprotect --class complete diary.txt.protected
        atrest reprotect --recipient eva.pem --recipient adam.pem plan.protected
        atrest reprotect --passphrase-file old --new-passphrase-file new safe.protected
      """)

  @OptionGroup(title: "Who reads it from now on") var new: NewFileKeyOptions

  @Option(
    help: ArgumentHelp(
      "A file with the new passphrase, - for standard input; one final newline is left out.",
      valueName: "file"))
  var newPassphraseFile: String?

  @OptionGroup(title: "Key") var keys: FileKeyOptions

  @Flag(help: "Show no notes.")
  var quiet = false

  @Argument(help: "Files and folders.", completion: .file())
  var files: [String]

  func validate() throws {
    guard new.isGiven || newPassphraseFile != nil else {
      throw ValidationError("Give --class, --passphrase or --recipient.")
    }
    guard !files.contains("-") else {
      throw ValidationError("A file is changed where it lies: standard input cannot be.")
    }
    try new.check(passphraseFile: newPassphraseFile, option: "--new-passphrase-file")
    try StandardInput.check(keys.inputs + [newPassphraseFile] + new.recipient)
  }

  func run() throws {
    let failures = Failures()
    let places = FileWalk(.protected, failures: failures, isQuiet: quiet).places(files)
    guard !places.isEmpty else { return try failures.end() }
    let keyring = keys.keyring
    let (new, protection) = try new.files(keyring, passphraseFile: newPassphraseFile)
    let old = keyring.files
    for place in places {
      try failures.catching {
        switch place {
        case .stream: break
        case .file(let path):
          try old.rewrap(URL(fileURLWithPath: path), for: new, protection: protection)
        case .walked(let entry): try old.rewrap(entry.open(), for: new, protection: protection)
        }
      }
    }
    try failures.end()
  }
}
