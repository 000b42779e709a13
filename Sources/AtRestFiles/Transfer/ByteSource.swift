import AtRestCrypto
import AtRestKeybag
import Foundation

/// A source of bytes: a file, a pipe, or memory.
public struct ByteSource: Sendable {
  enum Kind: Sendable {
    case file(String)
    case entry(FolderEntry)
    case walked(WalkedEntry)
    case descriptor(Int32)
    case data(Data)
  }
  let kind: Kind

  /// A file, or a named pipe, which is read to its end.
  public static func file(_ url: URL) -> ByteSource { ByteSource(kind: .file(url.path)) }
  /// A file in a folder that is held open.
  package static func entry(_ entry: FolderEntry) -> ByteSource { ByteSource(kind: .entry(entry)) }
  /// A file found by a walk.
  package static func walked(_ entry: WalkedEntry) -> ByteSource {
    ByteSource(kind: .walked(entry))
  }
  /// An open descriptor, read from its current position to its end. The descriptor stays open.
  public static func descriptor(_ number: Int32) -> ByteSource {
    ByteSource(kind: .descriptor(number))
  }
  /// Bytes in memory.
  public static func data(_ data: Data) -> ByteSource { ByteSource(kind: .data(data)) }
  /// Standard input.
  public static let standardInput = ByteSource.descriptor(STDIN_FILENO)

  /// The name of the source, for messages.
  var name: String {
    switch kind {
    case .file(let path): path
    case .entry(let entry): entry.path
    case .walked(let entry): entry.path
    case .descriptor(STDIN_FILENO): "standard input"
    case .descriptor(let number): "descriptor \(number)"
    case .data: "the data"
    }
  }

  /// Returns the source as a file that can be read at any offset, or nil if the source is not a
  /// regular file.
  func regularFile() throws -> OpenFile? {
    switch kind {
    case .data: return nil
    case .entry(let entry): return try entry.regular()
    case .walked(let entry): return try entry.open().regular()
    case .descriptor(let number):
      let file = OpenFile(borrowing: number, path: name)
      return try file.status().isRegular && lseek(number, 0, SEEK_CUR) == 0 ? file : nil
    case .file(let path):
      guard let status = OpenFile.Status.at(path) else {
        throw PathError.current("open", path)
      }
      guard !status.isFolder else {
        throw AtRestError.invalid("\(path) is a folder.", remedy: "Pass the files in it.")
      }
      return status.isRegular ? try OpenFile.regular(path) : nil
    }
  }

  /// Opens a stream, to be read to its end. The source must not be memory or a regular file.
  func stream() throws -> OpenFile {
    switch kind {
    case .descriptor(let number): return OpenFile(borrowing: number, path: name)
    case .file(let path):
      let descriptor = SystemPath.open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw PathError.current("open", path) }
      return OpenFile(owning: descriptor, path: path)
    case .data, .entry, .walked: preconditionFailure("This is not a stream.")
    }
  }
}
