import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A file found by a folder walk, or the entry in the same folder to which the file's result is
/// written.
package struct WalkedEntry: Sendable, Hashable {
  package let folder: WalkedFolder
  package let name: String
  /// The status that the walk found, or nil for the entry of a result.
  package let found: FileStatus?

  package init(_ name: String, in folder: WalkedFolder, found: FileStatus?) {
    self.folder = folder
    self.name = name
    self.found = found
  }

  package var path: String {
    folder.path.isEmpty || folder.path.hasSuffix("/")
      ? folder.path + name : "\(folder.path)/\(name)"
  }

  /// Opens the folder, and returns the entry in it.
  package func open() throws -> FolderEntry {
    FolderEntry(name, in: try folder.open(), chosen: found)
  }

  package static func == (one: WalkedEntry, other: WalkedEntry) -> Bool {
    one.folder === other.folder && one.name == other.name
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(folder))
    hasher.combine(name)
  }
}
