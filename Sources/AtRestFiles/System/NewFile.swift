import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// A new file that gets its name only once it is complete and durable.
///
/// If the file system does not support unnamed files, the file is written in the same folder under
/// a temporary name. A crash leaves this temporary file behind.
package final class NewFile {
  /// The treatment of a file that already exists.
  package enum Existing: Sendable {
    case replaced, refused
  }

  /// The permissions of the new file.
  package enum Permissions: Sendable {
    /// The permissions of the replaced file, and its owner if the system allows it. 0600 if no file
    /// is replaced.
    case kept
    case exactly(mode_t)
    /// These permissions, without those that the process's umask removes.
    case masked(mode_t)
  }

  let file: OpenFile
  /// The entry for the file.
  let entry: FolderEntry
  private let existing: Existing
  private var temporary: String?
  private var path: String { entry.path }

  /// Begins a file.
  ///
  /// - Parameter path: The path of the file. A symbolic link is followed.
  /// - Throws: ``AtRestError/Code/duplicate`` if the file exists and must not be replaced;
  ///   ``AtRestError/Code/invalidArgument`` if the path is a folder or a special file;
  ///   ``AtRestError/Code/notFound`` if the file's folder is missing;
  ///   ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package convenience init(
    at path: String, existing: Existing, permissions: Permissions = .kept
  ) throws {
    let status = SystemPath.status(path)
    if let status { try Self.checkReplaceable(status, path, existing) }
    // If the path is a link, the link stays, and its target is replaced.
    try self.init(
      at: FolderEntry(following: path, isNew: true), former: status, existing: existing,
      permissions: permissions)
  }

  /// Begins a file in a folder that is held open. Links are not followed.
  ///
  /// - Throws: The errors of ``init(at:existing:permissions:)-(String,_,_)``.
  package convenience init(
    at entry: FolderEntry, existing: Existing, permissions: Permissions = .kept
  ) throws {
    let status = entry.folder.status(of: entry.name)
    if let status { try Self.checkReplaceable(status, entry.path, existing) }
    try self.init(at: entry, former: status, existing: existing, permissions: permissions)
  }

  private static func checkReplaceable(
    _ status: stat, _ path: String, _ existing: Existing
  ) throws {
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw AtRestError.invalid(
        "\(path) is a folder, a link or a special file, which cannot be replaced.",
        remedy: "Choose another place, or write to standard output.")
    }
    if existing == .refused { throw exists(path) }
  }

  private init(
    at entry: FolderEntry, former: stat?, existing: Existing, permissions: Permissions
  ) throws {
    self.entry = entry
    self.existing = existing
    var mode: mode_t = 0o600
    if case .masked(let masked) = permissions { mode = masked }
    let unnamed = atrest_open_unnamed_at(entry.folder.descriptor, mode)
    if unnamed >= 0 {
      file = OpenFile(owning: unnamed, path: entry.path)
    } else {
      guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else {
        throw PathError.current("write into", entry.folder.path)
      }
      let temporary = Self.temporaryName(entry.name)
      let named = entry.folder.open(
        temporary, flags: O_RDWR | O_CREAT | O_EXCL, permissions: mode)
      guard named >= 0 else { throw PathError.current("create", entry.path) }
      file = OpenFile(owning: named, path: entry.path)
      self.temporary = temporary
    }
    switch permissions {
    case .exactly(let mode): try setMode(mode)
    case .kept: if let former { try takeOwnerAndMode(of: former) }
    case .masked: break
    }
  }

  private func takeOwnerAndMode(of status: stat) throws {
    var mode = status.st_mode & 0o7777
    var own = stat()
    guard fstat(file.descriptor, &own) == 0 else { throw SystemCall.error("look at", path) }
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid,
      fchown(file.descriptor, status.st_uid, status.st_gid) != 0
    {
      // Under another owner, the set-user-id and set-group-id bits would grant other rights.
      mode &= 0o1777
      if fchown(file.descriptor, uid_t.max, status.st_gid) != 0 {
        // If the group differs too, it gets no more rights than everyone else.
        mode &= 0o1707 | (mode & 0o007) << 3
      }
    }
    try setMode(mode)
  }

  private func setMode(_ mode: mode_t) throws {
    guard fchmod(file.descriptor, mode) == 0 else {
      throw SystemCall.error("set the mode of", path)
    }
  }

  /// Writes data after the previous write.
  package func write(_ data: Data) throws { try data.withUnsafeBytes { try file.writeNext($0) } }

  deinit { if let temporary { _ = entry.folder.remove(temporary) } }

  /// Makes the file durable, and gives it its name.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` if another process created the file meanwhile;
  ///   ``AtRestError/Code/system``. If the call throws, an existing file is unchanged. Only if
  ///   its folder could not be flushed, the new file is in place, but may be lost in a power
  ///   failure.
  package func commit() throws {
    try file.flush()
    try place()
    try flushFolder()
  }

  /// Gives a durable file its name; ``flushFolder()`` makes the name durable.
  func place() throws {
    let folder = entry.folder
    switch existing {
    case .refused:
      if let temporary {
        // Unlike a rename, a link never replaces a file.
        guard folder.link(temporary, as: entry.name) else { throw failure() }
        _ = folder.remove(temporary)
      } else {
        guard link(as: entry.name) else { throw failure() }
      }
    case .replaced:
      if temporary == nil {
        if entry.status == nil, link(as: entry.name) { return }
        let name = Self.temporaryName(entry.name)
        guard link(as: name) else { throw SystemCall.error("create", entry.path) }
        temporary = name
      }
      guard let temporary, folder.rename(temporary, to: entry.name) else { throw failure() }
    }
    temporary = nil
  }

  private func link(as name: String) -> Bool {
    SystemPath.with(name) {
      atrest_link_unnamed_at(file.descriptor, entry.folder.descriptor, $0)
    } == 0
  }

  func flushFolder() throws { try entry.folder.flush() }

  private func failure() -> AtRestError {
    errno == EEXIST ? Self.exists(path) : SystemCall.error("write", path)
  }

  private static func exists(_ path: String) -> AtRestError {
    AtRestError(
      .duplicate, "\(path) already exists.",
      remedy: "Choose another name, or replace it (--force).")
  }

  private static func temporaryName(_ name: String) -> String {
    "\(name).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }
}
