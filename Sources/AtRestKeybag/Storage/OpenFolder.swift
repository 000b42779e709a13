import AtRestCrypto
import Foundation

/// A folder that is held open and used through its descriptor. Even if the path changes meanwhile,
/// files are looked up, created and removed in this folder.
///
/// Names are single parts of a path. No call that takes a name follows a link.
package final class OpenFolder: Sendable {
  package let descriptor: Int32
  /// The path of the folder, for messages.
  package let path: String

  package init(owning descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { close(descriptor) }

  // MARK: Opening

  private static let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK

  /// Opens a folder, or returns nil with `errno` set.
  ///
  /// - Parameter shown: The path for messages, if it differs from `path`.
  package static func opened(
    _ path: String, shown: String? = nil, followingLinks: Bool = true
  ) -> OpenFolder? {
    let descriptor = SystemPath.open(path, flags | (followingLinks ? 0 : O_NOFOLLOW))
    return descriptor < 0 ? nil : OpenFolder(owning: descriptor, path: shown ?? path)
  }

  /// Opens a folder to reach files in it, or returns nil with `errno` set. Read permission is not
  /// required. Without it, the folder cannot be listed or flushed.
  package static func openedForSearch(_ path: String) -> OpenFolder? {
    if let folder = opened(path) { return folder }
    #if os(Linux) || os(Android)
      guard errno == EACCES else { return nil }
      // This is O_PATH, which Swift does not import.
      let descriptor = SystemPath.open(path, 0o10_000_000 | O_DIRECTORY | O_CLOEXEC)
      return descriptor < 0 ? nil : OpenFolder(owning: descriptor, path: path)
    #else
      return nil
    #endif
  }

  /// Opens a folder, or returns nil if there is none.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if there is a file or a link in place of the folder and
  ///   `followingLinks` is false; ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package static func ifPresent(
    _ path: String, followingLinks: Bool
  ) throws -> OpenFolder? {
    if let folder = opened(path, followingLinks: followingLinks) { return folder }
    let number = errno
    if number == ENOENT { return nil }
    if number == ENOTDIR || number == ELOOP {
      guard let status = SystemPath.status(path, followingLinks: false) else { return nil }
      if !followingLinks { throw notFolder(path, status) }
      if number == ENOTDIR { return nil }
    }
    errno = number
    throw SystemCall.error("open the folder", path)
  }

  /// Opens a subfolder, or returns nil if it does not exist.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if there is a link or a file in place of the subfolder;
  ///   ``AtRestError/Code/notPermitted``; ``AtRestError/Code/system``.
  package func folder(_ name: String) throws -> OpenFolder? {
    let descriptor = SystemPath.with(name) { openFolder($0) }
    if descriptor >= 0 { return OpenFolder(owning: descriptor, path: path(name)) }
    let number = errno
    if number == ENOENT { return nil }
    if number == ENOTDIR || number == ELOOP, let status = status(of: name) {
      throw Self.notFolder(path(name), status)
    }
    errno = number
    throw SystemCall.error("open the folder", path(name))
  }

  /// Returns the descriptor of a subfolder, or -1 with `errno` set.
  package func openFolder(_ name: UnsafePointer<CChar>) -> Int32 {
    openat(descriptor, name, Self.flags | O_NOFOLLOW)
  }

  private static func notFolder(_ path: String, _ status: stat) -> AtRestError {
    let isLink = status.st_mode & S_IFMT == S_IFLNK
    return .damaged(
      "\(path) is \(isLink ? "a symbolic link" : "a file"), not the folder that belongs there.",
      remedy: isLink
        ? "Remove the link and put the folder back. To keep it on another disk, mount that disk there."
        : "Put back the folder that belongs there.")
  }

  // MARK: Names as text

  /// Returns the status of an entry, as the call for the bytes of its name does.
  package func status(of name: String) -> stat? { SystemPath.with(name) { status(of: $0) } }

  /// Opens an entry, as the call for the bytes of its name does.
  package func open(_ name: String, flags: Int32, permissions: mode_t = 0o600) -> Int32 {
    SystemPath.with(name) { open($0, flags: flags, permissions: permissions) }
  }

  /// Removes an entry, as the call for the bytes of its name does.
  package func remove(_ name: String) -> Bool { SystemPath.with(name) { remove($0) } }

  /// Removes an empty folder, as the call for the bytes of its name does.
  package func removeFolder(_ name: String) -> Bool { SystemPath.with(name) { removeFolder($0) } }

  // MARK: Contents

  /// Returns the path of an entry, for messages.
  package func path(_ name: String) -> String {
    path.isEmpty || path.hasSuffix("/") ? path + name : "\(path)/\(name)"
  }

  /// Returns the status of the folder itself.
  package func status() throws -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw SystemCall.error("inspect", path) }
    return status
  }

  /// Returns the status of an entry, or nil with `errno` set. For a link, it is the status of the
  /// link itself.
  package func status(of name: UnsafePointer<CChar>) -> stat? {
    var status = stat()
    return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? status : nil
  }

  /// Returns the names of all entries, in no particular order.
  ///
  /// - Throws: ``AtRestError/Code/system``.
  package func names() throws -> [[UInt8]] {
    // A separate descriptor, whose position is not shared.
    let own = openat(descriptor, ".", Self.flags)
    guard own >= 0 else { throw SystemCall.error("list", path) }
    guard let stream = fdopendir(own) else {
      defer { close(own) }
      throw SystemCall.error("list", path)
    }
    defer { closedir(stream) }
    let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) ?? 0
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw SystemCall.error("list", path) }
        return names
      }
      // The name is not read through the structure, which may be longer than the memory behind it.
      let start = (UnsafeRawPointer(entry) + offset).assumingMemoryBound(to: CChar.self)
      let name = Array(UnsafeRawBufferPointer(start: start, count: strlen(start)))
      if name != [0x2e] && name != [0x2e, 0x2e] { names.append(name) }
    }
  }

  // MARK: Changing

  /// Opens an entry without following a link or waiting for a pipe. Returns the descriptor, or -1
  /// with `errno` set.
  package func open(
    _ name: UnsafePointer<CChar>, flags: Int32, permissions: mode_t = 0o600
  ) -> Int32 {
    openat(descriptor, name, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, permissions)
  }

  /// Creates a subfolder (0700), unless it exists. Returns true if it was created.
  @discardableResult
  package func makeFolder(_ name: String) throws -> Bool {
    if SystemPath.with(name, { mkdirat(descriptor, $0, 0o700) }) == 0 { return true }
    guard errno == EEXIST else { throw SystemCall.error("create the folder", path(name)) }
    return false
  }

  /// Removes an entry that is not a folder. Returns false with `errno` set if that fails.
  package func remove(_ name: UnsafePointer<CChar>) -> Bool { unlinkat(descriptor, name, 0) == 0 }

  /// Removes an empty folder. Returns false with `errno` set if that fails.
  package func removeFolder(_ name: UnsafePointer<CChar>) -> Bool {
    unlinkat(descriptor, name, AT_REMOVEDIR) == 0
  }

  /// Renames an entry in the folder, and replaces any entry that has the new name. Returns false
  /// with `errno` set if that fails.
  package func rename(_ name: String, to other: String) -> Bool {
    SystemPath.with(name) { name in
      SystemPath.with(other) { renameat(descriptor, name, descriptor, $0) }
    } == 0
  }

  /// Gives an entry a second name, which must not be taken. Returns false with `errno` set if that
  /// fails.
  package func link(_ name: String, as other: String) -> Bool {
    SystemPath.with(name) { name in
      SystemPath.with(other) { linkat(descriptor, name, descriptor, $0, 0) }
    } == 0
  }

  /// Makes the entries' names durable.
  package func flush() throws {
    guard fsync(descriptor) == 0 else { throw SystemCall.error("flush the folder", path) }
  }
}
