import ArgumentParser
import AtRestCrypto
import AtRestDatabase
import AtRestKeybag
import Foundation

struct DatabaseOpenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "open",
    abstract: "Open an encrypted database in SQLite's shell, sqlite3.",
    discussion: """
      The shell loads the extension atrest_vfs, which is beside this program or in ../lib/atrest. It gets the \
      key through a pipe, not as an argument. Further arguments are passed to the shell. The shell keeps the \
      key until it ends, even if the store is wiped meanwhile; atrest database shell ends then. It keeps no \
      history of what is typed, unless the variable SQLITE_HISTORY names a file for it.
      """)

  @OptionGroup var options: DatabaseKeyOptions

  @Argument(help: "The encrypted database.", completion: .file())
  var database: String

  @Argument(parsing: .captureForPassthrough, help: "Arguments of sqlite3, such as -json or SQL.")
  var rest: [String] = []

  func run() throws {
    let url = SystemPath.url(database)
    let end = try Self.readingEnd(
      with: EncryptedDatabase.rawKey(
        of: url, key: options.key(), format: options.fileFormat))
    let uri = EncryptedDatabase.uri(
      of: url, rawKeyFile: "/dev/fd/\(end)", format: options.fileFormat)
    let library = try Self.library()
    // sqlite3 has no other way to name a file after an extension is loaded.
    let arguments =
      ["sqlite3", "-cmd", ".load '\(library)'", "-cmd", ".open '\(uri)'", ":memory:"] + rest
    var pointers = arguments.map { SystemPath.with($0) { strdup($0) } } + [nil]
    // The history would have values of the database in plaintext. No file can have this name. /dev/null itself would
    // not do: libraries that edit lines change the mode of the file.
    setenv("SQLITE_HISTORY", "/dev/null/none", 0)
    execvp("sqlite3", &pointers)
    throw AtRestError(
      .notFound, "The program sqlite3 could not be started.",
      remedy: "Install it, or use atrest database shell.",
      cause: POSIXError(.init(rawValue: errno) ?? .ENOENT))
  }

  /// Returns the reading end of a pipe that has a secret.
  private static func readingEnd(with secret: borrowing SecretBytes) throws -> Int32 {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw AtRestError(.system, "A pipe could not be created.", remedy: "Close other programs.")
    }
    // A pipe holds 4,096 bytes or more, so this does not wait.
    let written = secret.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
    close(ends[1])
    guard written == secret.count else {
      throw AtRestError(.system, "The pipe could not be written.", remedy: "Try again.")
    }
    return ends[0]
  }

  private static func library() throws -> String {
    let program = SystemPath.url("/proc/self/exe").resolvingSymlinksInPath()
    let folder = program.deletingLastPathComponent()
    let places = [folder, folder.deletingLastPathComponent().appendingPathComponent("lib/atrest")]
      .map { $0.appendingPathComponent("libatrest_vfs.so").path }
    guard let found = places.first(where: { FileManager.default.fileExists(atPath: $0) }),
      !found.contains("'")
    else {
      throw AtRestError(
        .notFound,
        "The extension libatrest_vfs.so is neither beside this program nor in ../lib/atrest.",
        remedy: "Build it with `swift build -c release --product atrest_vfs`.")
    }
    return found
  }
}
