import Foundation

/// The kinds of files that an attacker may put in place of a file.
enum FileReplacement: String, CaseIterable {
  case pipe, socket, device, folder, link, hardLink, empty, huge, otherOwner, mode000, mode777

  /// True if the file itself stays, and only its owner or mode changes.
  private var keepsFile: Bool {
    [FileReplacement.otherOwner, .mode000, .mode777].contains(self)
  }

  /// Puts the replacement in place of a file, which need not exist.
  ///
  /// - Returns: A closure that restores the file, or nil if the system does not allow the
  ///   replacement.
  func put(at path: String, victim: String, aside: String) throws -> (() throws -> Void)? {
    let manager = FileManager.default
    let isPresent = manager.fileExists(atPath: path)
    if keepsFile && isPresent {
      var before = stat()
      guard stat(path, &before) == 0, change(path) else { return nil }
      return {
        // The file may have been removed when it was used, like a journal.
        chown(path, before.st_uid, before.st_gid)
        chmod(path, before.st_mode & 0o777)
      }
    }
    if isPresent { try manager.moveItem(atPath: path, toPath: aside) }
    let restore = {
      try? manager.removeItem(atPath: path)
      if isPresent { try manager.moveItem(atPath: aside, toPath: path) }
    }
    guard make(path, victim) else {
      try restore()
      return nil
    }
    return restore
  }

  private func change(_ path: String) -> Bool {
    switch self {
    case .otherOwner: chown(path, 65_534, 65_534) == 0
    case .mode000: chmod(path, 0) == 0
    default: chmod(path, 0o777) == 0
    }
  }

  private func make(_ path: String, _ victim: String) -> Bool {
    switch self {
    case .pipe: mkfifo(path, 0o600) == 0
    case .socket: makeSocket(path)
    // The endless zeros of /dev/zero.
    case .device: mknod(path, S_IFCHR | 0o600, 1 << 8 | 5) == 0
    case .folder: mkdir(path, 0o700) == 0
    case .link: symlink(victim, path) == 0
    case .hardLink: Foundation.link(victim, path) == 0
    case .empty: makeFile(path, 0)
    case .huge: makeFile(path, 1 << 40)
    case .otherOwner, .mode000, .mode777: makeFile(path, 0) && change(path)
    }
  }

  private func makeFile(_ path: String, _ size: off_t) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    defer { close(file) }
    return file >= 0 && ftruncate(file, size) == 0
  }

  /// A socket needs a short path when it is created, and is moved afterwards.
  private func makeSocket(_ path: String) -> Bool {
    #if canImport(Darwin)
      let socket = Foundation.socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      let socket = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    defer { close(socket) }
    let short = "/tmp/s-\(UInt32.random(in: 0 ... .max))"
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: short.utf8) }
    let isBound = withUnsafePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    return isBound && rename(short, path) == 0
  }
}
