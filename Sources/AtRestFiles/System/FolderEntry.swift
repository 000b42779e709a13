import AtRestCrypto
import AtRestKeybag
import Foundation

/// A name in a folder that is held open: a file is looked at, made, replaced and removed there, wherever
/// the folder's path leads meanwhile. A link as the name is not followed.
package struct FolderEntry: Sendable {
  package let folder: OpenFolder
  package let name: String
  /// The file's path, for messages.
  package let path: String
  /// What the file was when it was chosen; nil where any will do.
  private let chosen: FileStatus?
  /// Whether the file is opened as ``PrivateFile`` says.
  private let isPrivate: Bool

  package init(
    _ name: String, in folder: OpenFolder, chosen: FileStatus? = nil, isPrivate: Bool = false
  ) {
    self.folder = folder
    self.name = name
    path = folder.path(name)
    self.chosen = chosen
    self.isPrivate = isPrivate
  }

  /// The place that a path leads to, with its links followed now; the file need not be there.
  ///
  /// - Parameter isNew: The error of a folder that is missing names the folder.
  /// - Throws: ``AtRestError/Code/notFound`` where its folder is missing;
  ///   ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package init(following path: String, isNew: Bool = false) throws {
    let real = Self.resolved(path)
    let parent = NewFile.folder(of: real)
    guard
      let folder = isNew ? OpenFolder.opened(parent) : OpenFolder.openedForSearch(parent)
    else {
      throw isNew ? PathError.current("write into", parent) : PathError.current("open", path)
    }
    self.folder = folder
    name = real.lastIndex(of: "/").map { String(real[real.index(after: $0)...]) } ?? real
    self.path = real
    chosen = nil
    isPrivate = false
  }

  /// The path that a chain of links leads to.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// A file of another name in the same folder.
  package func beside(_ name: String) -> FolderEntry {
    FolderEntry(name, in: folder, isPrivate: isPrivate)
  }

  /// What there is under the name, or nil.
  package var status: FileStatus? { folder.status(of: name).map(FileStatus.init) }

  /// Opens the regular file under the name.
  ///
  /// - Throws: ``AtRestError/Code/notFound``; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/invalidArgument`` for what is no regular file; ``AtRestError/Code/system``,
  ///   also where it is another file than the chosen one.
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
      guard chosen == nil else { throw PathError.changedMeanwhile(path) }
      // Links were followed before, unless they lead nowhere, or to a file that has no name, as
      // /dev/fd/3 may.
      descriptor = Foundation.open(path, flags | O_CLOEXEC | O_NONBLOCK)
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
        remedy: "Name a regular file; pipe the others in.")
    }
    return file
  }

  /// The first bytes of the file, or all where it has fewer.
  package func head(_ count: Int) throws -> Data { try regular().read(count, at: 0) }

  /// Removes the name.
  package func remove() throws {
    guard folder.remove(name) else { throw SystemCall.error("remove", path) }
  }
}
