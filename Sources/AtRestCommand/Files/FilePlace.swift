import AtRestCrypto
import AtRestFiles
import Foundation

/// Where a command reads or writes: a file, or a standard stream.
enum FilePlace: Hashable, Sendable {
  case stream
  case file(String)
  /// A file that a walk met, or the place of its result.
  case walked(WalkedEntry)

  /// `-` is standard input or output.
  init(_ argument: String) { self = argument == "-" ? .stream : .file(argument) }

  var path: String? {
    switch self {
    case .stream: nil
    case .file(let path): path
    case .walked(let entry): entry.path
    }
  }

  /// As the user named it.
  var name: String { path ?? "-" }

  var source: ByteSource {
    switch self {
    case .stream: .standardInput
    case .file(let path): .file(URL(fileURLWithPath: path))
    case .walked(let entry): .walked(entry)
    }
  }

  func destination(replacing: Bool, permissions: UInt16?) -> ByteDestination {
    switch self {
    case .stream: .standardOutput
    case .file(let path):
      .file(URL(fileURLWithPath: path), replacing: replacing, permissions: permissions)
    case .walked(let entry): .walked(entry, replacing: replacing, permissions: permissions)
    }
  }

  /// What the path leads to, where it leads anywhere; of a file that a walk met, what it met.
  var status: FileStatus? {
    switch self {
    case .stream: nil
    case .file(let path): FileStatus.at(path)
    case .walked(let entry): entry.found ?? (try? entry.open())?.status
    }
  }

  /// As ``status``, but of what is there now.
  ///
  /// - Throws: ``AtRestError/Code/system`` where it is not the file any more that a walk met.
  func statusNow() throws -> FileStatus? {
    guard case .walked(let entry) = self, let found = entry.found else { return status }
    guard let now = try entry.open().status, now.isSameFile(as: found) else {
      throw AtRestError(
        .system, "\(name) was replaced since its folder was read.",
        remedy: "Try again when nothing replaces it.")
    }
    return now
  }

  /// The first bytes of a regular file, or all where it has fewer.
  func head(_ count: Int) throws -> Data {
    switch self {
    case .stream: Data()
    case .file(let path): try ProtectedFiles.head(of: URL(fileURLWithPath: path), count: count)
    case .walked(let entry): try entry.open().head(count)
    }
  }

  /// Whether a regular file begins as protected files do.
  var isProtected: Bool {
    get throws { try ProtectedFiles.isProtected(head: head(ProtectedFiles.magicCount)) }
  }

  /// Where the result goes that a name is made for from this one's.
  func result(_ naming: (String) throws -> String) throws -> FilePlace {
    switch self {
    case .stream: .stream
    case .file(let path): .file(try naming(path))
    case .walked(let entry):
      .walked(WalkedEntry(try naming(entry.name), in: entry.folder, found: nil))
    }
  }
}
