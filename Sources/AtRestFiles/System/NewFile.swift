import AtRestCrypto
import AtRestKeybag
import CAtRestSystem
import Foundation

/// A file that is written under no name, and takes its place whole and durable.
///
/// Where the file system has no nameless files it is written beside its place under a name of its
/// own; a crash leaves that behind.
final class NewFile {
  /// Who may have stood in the new file's place before.
  enum Existing {
    case replaced, refused
  }

  let file: OpenFile
  private let path: String
  private let existing: Existing
  private var temporary: String?

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - path: Its place; a symbolic link there is followed.
  ///   - permissions: The mode; nil takes that of the file that is replaced, or 0600.
  /// - Throws: ``AtRestError/Code/duplicate`` where there is one already and it is not to be
  ///   replaced; ``AtRestError/Code/invalidArgument`` where the place is a folder or a special file;
  ///   ``AtRestError/Code/system``.
  init(at path: String, existing: Existing, permissions: UInt32? = nil) throws {
    let present = OpenFile.Status.at(path)
    if let present {
      guard present.isRegular else {
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
    let mode = permissions ?? present?.permissions ?? 0o600
    let unnamed = atrest_open_unnamed(folder, mode_t(0o600))
    if unnamed >= 0 {
      file = OpenFile(owning: unnamed, path: path)
    } else {
      guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else {
        throw SystemCall.error("write into the folder", folder)
      }
      let temporary = Self.temporaryName(self.path)
      let named = open(temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard named >= 0 else { throw SystemCall.error("create", temporary) }
      file = OpenFile(owning: named, path: path)
      self.temporary = temporary
    }
    guard fchmod(file.descriptor, mode_t(mode)) == 0 else {
      throw SystemCall.error("set the mode of", path)
    }
  }

  deinit { if let temporary { unlink(temporary) } }

  /// Makes the file durable, and puts it into its place.
  ///
  /// - Throws: ``AtRestError/Code/duplicate`` where somebody else took the place meanwhile;
  ///   ``AtRestError/Code/system``. The former file stands then as it was.
  func commit() throws {
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

  func flushFolder() throws { try SystemCall.flushFolder(Self.folder(of: path)) }

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

  static func folder(of path: String) -> String {
    let folder = NSString(string: path).deletingLastPathComponent
    return folder.isEmpty ? "." : folder
  }

  /// The path that a chain of links leads to.
  static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
