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
  private let path: String
  private let existing: Existing
  private var temporary: String?

  /// Begins a file.
  ///
  /// - Parameter path: Its place; a symbolic link there is followed.
  /// - Throws: ``AtRestError/Code/duplicate`` where there is one already and it is not to be
  ///   replaced; ``AtRestError/Code/invalidArgument`` where the place is a folder or a special file;
  ///   ``AtRestError/Code/notFound`` where its folder is missing; ``AtRestError/Code/notPermitted``;
  ///   ``AtRestError/Code/system``.
  package init(at path: String, existing: Existing, permissions: Permissions = .kept) throws {
    var status = stat()
    let present = stat(path, &status) == 0
    if present {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw AtRestError.invalid(
          "\(path) is a folder or a special file, which is not replaced.",
          remedy: "Choose another place, or write to standard output.")
      }
      if existing == .refused { throw Self.exists(path) }
    }
    // The link stays, and what it leads to is replaced.
    self.path = Self.resolved(path)
    self.existing = existing
    let folder = Self.folder(of: self.path)
    var mode: mode_t = 0o600
    if case .masked(let masked) = permissions { mode = masked }
    let unnamed = atrest_open_unnamed(folder, mode)
    if unnamed >= 0 {
      file = OpenFile(owning: unnamed, path: path)
    } else {
      guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else {
        throw PathError.current("write into", folder)
      }
      let temporary = Self.temporaryName(self.path)
      let named = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard named >= 0 else { throw PathError.current("create", temporary) }
      file = OpenFile(owning: named, path: path)
      self.temporary = temporary
    }
    switch permissions {
    case .exactly(let mode): try setMode(mode)
    case .kept where present: try takeOwnerAndMode(of: status)
    case .kept, .masked: break
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

  deinit { if let temporary { unlink(temporary) } }

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
    switch existing {
    case .refused:
      if let temporary {
        // A link, unlike a rename, replaces nothing.
        guard link(temporary, path) == 0 else { throw failure() }
        unlink(temporary)
      } else {
        guard atrest_link_unnamed(file.descriptor, path) == 0 else { throw failure() }
      }
    case .replaced:
      if temporary == nil {
        if OpenFile.Status.at(path) == nil, atrest_link_unnamed(file.descriptor, path) == 0 {
          return
        }
        let name = Self.temporaryName(path)
        guard atrest_link_unnamed(file.descriptor, name) == 0 else {
          throw SystemCall.error("create", name)
        }
        temporary = name
      }
      guard let temporary, rename(temporary, path) == 0 else { throw failure() }
    }
    temporary = nil
  }

  var folder: String { Self.folder(of: path) }

  func flushFolder() throws { try SystemCall.flushFolder(folder) }

  private func failure() -> AtRestError {
    errno == EEXIST ? Self.exists(path) : SystemCall.error("write", path)
  }

  private static func exists(_ path: String) -> AtRestError {
    AtRestError(
      .duplicate, "There is a file \(path) already.",
      remedy: "Choose another name, or have it replaced (--force).")
  }

  private static func temporaryName(_ path: String) -> String {
    "\(path).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  }

  /// The folder of a path, by its last slash.
  ///
  /// Foundation's own ends the process at names of one character.
  package static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// The path that a chain of links leads to.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
