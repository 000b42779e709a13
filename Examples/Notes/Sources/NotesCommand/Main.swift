import AtRestCrypto
import AtRestKeychain
import Foundation
import Notes

@main
struct Main {
  static let usage = """
    add TEXT | list | search WORDS | lock | unlock | quit
    The file is NOTES_FILE or ~/notes.db.
    """

  static func main() throws {
    let environment = ProcessInfo.processInfo.environment
    let file = environment["NOTES_FILE"] ?? "\(NSHomeDirectory())/notes.db"
    let keychain = try DefaultKeychain.get()
    let notebook = Notebook(URL(fileURLWithPath: file), keychain: keychain)
    while let line = readLine() {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      do {
        switch (words.first, words.dropFirst().first) {
        case ("add", let text?): show([try notebook.add(text)])
        case ("list", nil): show(try notebook.notes())
        case ("search", let words?): show(try notebook.notes(with: words))
        case ("lock", nil): try notebook.lock()
        case ("unlock", nil): try keychain.keybag.unlock(passcode: passcode())
        case ("quit", nil): return
        case (nil, _): break
        default: print(usage)
        }
      } catch let error as AtRestError where error.code == .locked {
        print("The notes are locked: unlock")
      } catch {
        print("notes: \(error)")
      }
    }
  }

  static func show(_ notes: [Note]) {
    for note in notes {
      print("\(note.id ?? 0)  \(note.written.formatted(.iso8601))  \(note.text)")
    }
  }

  /// Reads the passcode from the terminal without echoing it, or from a pipe.
  static func passcode() -> SecretBytes {
    guard isatty(0) == 1, let typed = getpass("Passcode: ") else {
      return SecretBytes(utf8: readLine() ?? "")
    }
    defer { memset(typed, 0, strlen(typed)) }
    return SecretBytes(copying: UnsafeRawBufferPointer(start: typed, count: strlen(typed)))
  }
}
