import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// A file that is written under no name, and takes its place whole and durable.
///
/// Where the file system has no nameless files it is written beside its place under a name of its
/// own; a crash leaves that behind.
package final class NewFile {
  /// What becomes of a file that stands in the new file's place.
  package enum Existing: Sendable {
    case replaced, refused
  }

  /// Who may read and write the new file.
  package enum Permissions: Sendable {
    /// As the file that is replaced, with its owner where the system allows that; else 0600.
    case kept
    case exactly(mode_t)
    /// Less what the process's mask takes away.
    case masked(mode_t)
  }

  let file: OpenFile
  /// Its place.
  let entry: FolderEntry
  private let existing: Existing
  private var temporary: String?
  private var path: String { entry.path }

  /// Begins a file.
  ///
  /// - Parameter path: Its place; a symbolic link there is followed.
  /// - Throws: ``AtRestError/Code/duplicate`` where there is one already and it is not to be
  ///   replaced; ``AtRestError/Code/invalidArgument`` where the place is a folder or a special file;
  ///   ``AtRestError/Code/notFound`` where its folder is missing; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/system``.
  package convenience init(
    at path: String, existing: Existing, permissions: Permissions = .kept
  ) throws {
    var status = stat()
    let isPresent = stat(path, &status) == 0
    if isPresent { try Self.checkReplaceable(status, path, existing) }
    // The link stays, and what it leads to is replaced.
    try self.init(
      at: FolderEntry(following: path, isNew: true), former: isPresent ? status : nil,
      existing: existing,
      permissions: permissions)
  }

  /// Begins a file in a folder that is held open; a link there is not followed.
  ///
  /// - Throws: As ``init(at:existing:permissions:)-(String,_,_)``.
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
        "\(path) is a folder, a link or a special file, which is not replaced.",
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
      guard named >= 0 else { throw PathError.current("create", entry.folder.path(temporary)) }
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
      // With another owner these would give another power.
      mode &= 0o1777
      if fchown(file.descriptor, uid_t.max, status.st_gid) != 0 {
        // Another group may do no more than everyone may.
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

  /// Writes after what was written last.
  package func write(_ data: Data) throws { try data.withUnsafeBytes { try file.writeNext($0) } }

  deinit { if let temporary { _ = entry.folder.remove(temporary) } }

  /// Makes the file durable, and puts it into its place.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where somebody else took the place meanwhile;
  ///   ``AtRestError/Code/system``. The former file stands then as it was.
  package func commit() throws {
    try file.flush()
    try place()
    try flushFolder()
  }

  /// Puts a file into its place that is durable already; ``flushFolder()`` makes its name so.
  func place() throws {
    let folder = entry.folder
    switch existing {
    case .refused:
      if let temporary {
        // A link, unlike a rename, replaces nothing.
        guard folder.link(temporary, as: entry.name) else { throw failure() }
        _ = folder.remove(temporary)
      } else {
        guard link(as: entry.name) else { throw failure() }
      }
    case .replaced:
      if temporary == nil {
        if entry.status == nil, link(as: entry.name) { return }
        let name = Self.temporaryName(entry.name)
        guard link(as: name) else { throw SystemCall.error("create", folder.path(name)) }
        temporary = name
      }
      guard let temporary, folder.rename(temporary, to: entry.name) else { throw failure() }
    }
    temporary = nil
  }

  private func link(as name: String) -> Bool {
    atrest_link_unnamed_at(file.descriptor, entry.folder.descriptor, name) == 0
  }

  func flushFolder() throws { try entry.folder.flush() }

  private func failure() -> AtRestError {
    errno == EEXIST ? Self.exists(path) : SystemCall.error("write", path)
  }

  private static func exists(_ path: String) -> AtRestError {
    AtRestError(
      .duplicate, "There is a file \(path) already.",
      remedy: "Choose another name, or have it replaced (--force).")
  }

  private static func temporaryName(_ name: String) -> String {
    "\(name).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }

  /// The folder of a path, by its last slash.
  ///
  /// Foundation's own ends the process at names of one character.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
