import ArgumentParser
import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

struct RewrapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rewrap",
    abstract: "Change who can read protected files; their contents are not touched.",
    discussion: """
      Rewraps each file's key, which is instant whatever the file's size. Anyone who could read a \
      file before, and has a copy of it, still can: to exclude a reader, unprotect and protect it. \
      The new readers take the place of all former ones: name a second way in again to keep it. \
      A note names those that a file with several readers has lost. \
      Folders are searched for protected files. After a restore, this moves the files of the former \
      store to the keys of the present one.

      EXAMPLES
        atrest rewrap --class complete diary.txt.protected
        atrest rewrap --recipient eva.pem --recipient adam.pem plan.protected
        atrest rewrap --passphrase-file old --new-passphrase-file new safe.protected
      """)

  @OptionGroup(title: "New readers") var new: NewFileKeyOptions

  @Option(
    help: ArgumentHelp(
      "A file with the new passphrase, - for standard input; one final newline is removed.",
      valueName: "file"))
  var newPassphraseFile: String?

  @OptionGroup(title: "Key") var keys: FileKeyOptions

  @Flag(help: "Print no notes.")
  var quiet = false

  @Argument(help: "Files and folders.", completion: .file())
  var files: [String]

  func validate() throws {
    guard new.isGiven || newPassphraseFile != nil else {
      throw ValidationError("Use --class, --passphrase or --recipient.")
    }
    guard !files.contains("-") else {
      throw ValidationError("Standard input cannot be rewrapped; pass a file.")
    }
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
        let before = Self.readers(of: place)
        switch place {
        case .stream: break
        case .file(let path):
          try old.rewrap(SystemPath.url(path), for: new, protection: protection)
        case .walked(let entry): try old.rewrap(entry.open(), for: new, protection: protection)
        }
        if before.count > 1, !quiet {
          noteRemoved(before, Self.readers(of: place), from: place.name)
        }
      }
    }
    try failures.end()
  }

  private static func readers(of place: FilePlace) -> [FileDescription.Reader] {
    guard let path = place.path else { return [] }
    return (try? FileDescription(of: SystemPath.url(path)))?.readers ?? []
  }

  /// Names the former readers that have no successor: a second way in is lost unless it is named again.
  private func noteRemoved(
    _ before: [FileDescription.Reader], _ after: [FileDescription.Reader], from name: String
  ) {
    let removed = before.filter { former in
      !after.contains { $0.kind == former.kind && $0.fingerprint == former.fingerprint }
    }
    guard !removed.isEmpty else { return }
    let words = removed.prefix(3).map { reader in
      switch reader.kind {
      case "store": "the store \(reader.store ?? "")"
      case "passphrase": "a passphrase"
      default: "the \(reader.algorithm ?? "") key \(reader.fingerprint ?? "")"
      }
    }
    let rest = removed.count > 3 ? " and \(removed.count - 3) more" : ""
    let count = removed.count == 1 ? "1 other reader was" : "\(removed.count) other readers were"
    let again = removed.count == 1 ? "Name it again to keep it." : "Name them again to keep them."
    Output.note(
      "\(Output.printable(name)): \(count) removed: \(words.joined(separator: ", "))\(rest). \(again)"
    )
  }
}
