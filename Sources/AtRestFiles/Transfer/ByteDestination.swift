import AtRestCrypto
import AtRestKeybag
import Foundation

/// A destination of bytes: a file, which appears only when it is complete, or a pipe.
public struct ByteDestination: Sendable {
  enum Kind: Sendable {
    case file(String, NewFile.Existing, NewFile.Permissions)
    case entry(FolderEntry, NewFile.Existing)
    case walked(WalkedEntry, NewFile.Existing, NewFile.Permissions)
    case descriptor(Int32)
  }
  let kind: Kind

  /// A file. It appears complete and durable once everything has been written, or not at all.
  ///
  /// - Parameters:
  ///   - replacing: True to replace an existing file; otherwise an existing file is an error.
  ///   - permissions: The mode of the file. nil keeps the mode and owner of a replaced file, and
  ///     sets 0600 for a new file.
  public static func file(
    _ url: URL, replacing: Bool = false, permissions: UInt16? = nil
  ) -> ByteDestination {
    ByteDestination(
      kind: .file(
        url.path, replacing ? .replaced : .refused,
        permissions.map { .exactly(mode_t($0)) } ?? .kept))
  }

  /// A file in a folder that is held open. It appears complete and durable like other files.
  package static func entry(_ entry: FolderEntry, replacing: Bool) -> ByteDestination {
    ByteDestination(kind: .entry(entry, replacing ? .replaced : .refused))
  }

  /// A file in the same folder as a file found by a walk.
  package static func walked(
    _ entry: WalkedEntry, replacing: Bool, permissions: UInt16?
  ) -> ByteDestination {
    ByteDestination(
      kind: .walked(
        entry, replacing ? .replaced : .refused,
        permissions.map { .exactly(mode_t($0)) } ?? .kept))
  }

  /// An open descriptor, written from its current position. The descriptor stays open.
  public static func descriptor(_ number: Int32) -> ByteDestination {
    ByteDestination(kind: .descriptor(number))
  }
  /// Standard output.
  public static let standardOutput = ByteDestination.descriptor(STDOUT_FILENO)
}
