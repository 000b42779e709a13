import AtRestCrypto
import AtRestKeybag
import Foundation

/// A name in a folder that is held open. The file is examined, created, replaced and removed in
/// that folder, even if the folder's path leads elsewhere meanwhile. If the name is a link, it is
/// not followed.
package struct FolderEntry: Sendable {
  package let folder: OpenFolder
  package let name: String
  /// The file's path, for messages.
  package let path: String
  /// The status of the file when it was chosen, or nil if any file is accepted.
  private let chosen: FileStatus?
  /// True if the file is opened as ``PrivateFile`` requires.
  private let isPrivate: Bool
  /// True if the name was a link that could not be resolved when the entry was created. An example
  /// is `/dev/fd/3` after the file of descriptor 3 was removed. Only such a link is followed when
  /// the file is opened.
  private let isUnresolvedLink: Bool

  package init(
    _ name: String, in folder: OpenFolder, chosen: FileStatus? = nil, isPrivate: Bool = false
  ) {
    self.folder = folder
    self.name = name
    path = folder.path(name)
    self.chosen = chosen
    self.isPrivate = isPrivate
    isUnresolvedLink = false
  }

  /// Creates the entry to which a path leads. Links in the path are followed now, not when the file
  /// is opened. The file need not exist.
  ///
  /// - Parameter isNew: True if the error for a missing folder should name the folder.
  /// - Throws: ``AtRestError/Code/notFound`` if the file's folder is missing;
  ///   ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package init(following path: String, isNew: Bool = false) throws {
    let resolved = Self.resolved(path)
    let real = resolved ?? path
    let parent = SystemPath.folder(of: real)
    guard
      let folder = isNew ? OpenFolder.opened(parent) : OpenFolder.openedForSearch(parent)
    else {
      throw isNew ? PathError.current("write into", parent) : PathError.current("open", path)
    }
    self.folder = folder
    name = SystemPath.name(of: real)
    self.path = real
    chosen = nil
    isPrivate = false
    isUnresolvedLink =
      resolved == nil && folder.status(of: name).map(FileStatus.init)?.isLink == true
  }

  /// Returns a path with all links followed, or nil if the links do not lead to the same file.
  ///
  /// After a file was removed, its link `/dev/fd/3` reads as "x (deleted)", and another file may
  /// have that name.
  static func resolved(_ path: String) -> String? {
    guard let resolved = SystemPath.real(path), let meant = FileStatus.at(path),
      let found = FileStatus.at(resolved),
      meant.isSameFile(as: found)
    else { return nil }
    return resolved
  }

  /// Returns the entry with another name in the same folder.
  package func beside(_ name: String) -> FolderEntry {
    FolderEntry(name, in: folder, isPrivate: isPrivate)
  }

  /// The status of the file with this name, or nil if no such file exists.
  package var status: FileStatus? { folder.status(of: name).map(FileStatus.init) }

  /// Opens the regular file with this name.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` if it is not a regular file;
  ///   ``AtRestError/Code/system``, also if the name now belongs to a file other than the chosen
  ///   one.
  func regular(flags: Int32 = O_RDONLY) throws -> OpenFile {
    if isPrivate {
      guard let opened = try PrivateFile.open(name, in: folder, flags: flags) else {
        errno = ENOENT
        throw PathError.current("open", path)
      }
      return OpenFile(owning: opened.descriptor, path: path, entry: self)
    }
    var descriptor = folder.open(name, flags: flags)
    if descriptor < 0, errno == ELOOP {
      guard isUnresolvedLink else { throw PathError.changedMeanwhile(path) }
      descriptor = SystemPath.open(path, flags | O_CLOEXEC | O_NONBLOCK)
    }
    guard descriptor >= 0 else { throw PathError.current("open", path) }
    let file = OpenFile(owning: descriptor, path: path, entry: self)
    let status = try file.status()
    if let chosen, !status.isSameFile(as: chosen) || !status.isRegular {
      throw PathError.changedMeanwhile(path)
    }
    guard status.isRegular else {
      throw AtRestError.invalid(
        "\(path) is a folder or a special file.",
        remedy: "Pass a regular file, or pipe its contents in.")
    }
    return file
  }

  /// Returns the first bytes of the file, or all bytes if it has fewer.
  package func head(_ count: Int) throws -> Data { try regular().read(count, at: 0) }

  /// Removes the name.
  package func remove() throws {
    guard folder.remove(name) else { throw SystemCall.error("remove", path) }
  }
}
