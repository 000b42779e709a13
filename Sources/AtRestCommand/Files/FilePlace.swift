import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// The source or the destination of a command: a file or a standard stream.
enum FilePlace: Hashable, Sendable {
  case stream
  case file(String)
  /// A file found by a folder walk, or the destination of its result.
  case walked(WalkedEntry)

  /// The argument `-` means standard input or output.
  init(_ argument: String) { self = argument == "-" ? .stream : .file(argument) }

  var path: String? {
    switch self {
    case .stream: nil
    case .file(let path): path
    case .walked(let entry): entry.path
    }
  }

  /// The name as the user wrote it.
  var name: String { path ?? "-" }

  var source: ByteSource {
    switch self {
    case .stream: .standardInput
    case .file(let path): .file(SystemPath.url(path))
    case .walked(let entry): .walked(entry)
    }
  }

  func destination(replacing: Bool, permissions: UInt16?) -> ByteDestination {
    switch self {
    case .stream: .standardOutput
    case .file(let path):
      .file(SystemPath.url(path), replacing: replacing, permissions: permissions)
    case .walked(let entry): .walked(entry, replacing: replacing, permissions: permissions)
    }
  }

  /// The status of the file to which the path leads, or nil if there is none. For a file found by a
  /// walk, it is the status that the walk found.
  var status: FileStatus? {
    switch self {
    case .stream: nil
    case .file(let path): FileStatus.at(path)
    case .walked(let entry): entry.found ?? (try? entry.open())?.status
    }
  }

  /// Returns the current status.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the path no longer leads to the file that the walk
  ///   found.
  func statusNow() throws -> FileStatus? {
    guard case .walked(let entry) = self, let found = entry.found else { return status }
    guard let now = try entry.open().status, now.isSameFile(as: found) else {
      throw AtRestError(
        .system, "\(name) was replaced after its folder was read.",
        remedy: "Try again while no other program is replacing it.")
    }
    return now
  }

  /// Returns the first bytes of a regular file, or all bytes if it has fewer.
  func head(_ count: Int) throws -> Data {
    switch self {
    case .stream: Data()
    case .file(let path): try ProtectedFiles.head(of: SystemPath.url(path), count: count)
    case .walked(let entry): try entry.open().head(count)
    }
  }

  /// True if a regular file begins like a protected file.
  var isProtected: Bool {
    get throws { try ProtectedFiles.isProtected(head: head(ProtectedFiles.magicCount)) }
  }

  /// Returns the destination of the result. The closure derives its name from the name of this
  /// file.
  func result(_ naming: (String) throws -> String) throws -> FilePlace {
    switch self {
    case .stream: .stream
    case .file(let path): .file(try naming(path))
    case .walked(let entry):
      .walked(WalkedEntry(try naming(entry.name), in: entry.folder, found: nil))
    }
  }
}
