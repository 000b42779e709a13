import AtRestCrypto
import AtRestKeybag
import Foundation
import Synchronization

/// A folder found by a walk. It is opened again when it is needed; opening fails if it is no longer
/// the same folder.
///
/// A walk may find more folders than a process can hold open. A folder is therefore opened by its
/// name in its parent, without following a link, and compared with the folder that the walk found.
package final class WalkedFolder: Sendable {
  private struct Weak: Sendable { weak let folder: OpenFolder? }

  /// The path, for messages.
  package let path: String
  /// The number of levels below the first folder.
  package let depth: Int
  /// The largest ``depth`` that a walk reaches.
  package static let greatestDepth = 256
  private let parent: WalkedFolder?
  private let name: [CChar]
  private let identity: FileStatus
  /// The number of the folder's file system.
  package var device: UInt64 { identity.device }
  private let opened = Mutex(Weak(folder: nil))

  /// Creates the folder in which a walk begins. Links in its path are followed.
  ///
  /// - Parameter shown: The path for messages, or nil to use `path`.
  /// - Throws: The errors of ``FolderEntry/init(following:)``.
  package init(_ path: String, shown: String? = nil) throws {
    self.path = shown ?? path
    depth = 0
    parent = nil
    name = SystemPath.bytes(path).map(CChar.init(bitPattern:)) + [0]
    guard let folder = OpenFolder.opened(path, shown: shown) else {
      throw PathError.current("open", path)
    }
    identity = FileStatus(try folder.status())
    opened.withLock { $0 = Weak(folder: folder) }
  }

  /// Creates a folder that the walk found in another folder.
  ///
  /// - Parameters:
  ///   - name: The bytes of the folder's name.
  ///   - identity: The status that the walk found.
  package init(_ name: [UInt8], in parent: WalkedFolder, identity: FileStatus) {
    path =
      (parent.path.hasSuffix("/") ? parent.path : parent.path + "/")
      + SystemPath.text(name)
    depth = parent.depth + 1
    self.parent = parent
    self.name = name.map(CChar.init(bitPattern:)) + [0]
    self.identity = identity
  }

  /// Returns the folder, which stays open as long as the result is referenced.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it was removed, or replaced by another folder or a
  ///   link.
  package func open() throws -> OpenFolder {
    if let open = opened.withLock({ $0.folder }) { return open }
    let folder: OpenFolder?
    if let parent {
      let descriptor = try parent.open().openFolder(name)
      folder = descriptor < 0 ? nil : OpenFolder(owning: descriptor, path: path)
    } else {
      folder = name.withUnsafeBufferPointer {
        OpenFolder.opened(SystemPath.text($0.baseAddress!), shown: path)
      }
    }
    guard let folder else {
      if [ENOTDIR, ELOOP, ENOENT].contains(errno) { throw PathError.changedMeanwhile(path) }
      throw PathError.current("open", path)
    }
    guard FileStatus(try folder.status()).isSameFile(as: identity) else {
      throw PathError.changedMeanwhile(path)
    }
    opened.withLock { $0 = Weak(folder: folder) }
    return folder
  }
}
