@_spi(Tools) import AtRestCrypto
import Foundation

/// A socket on which the agent listens: one that a service manager opened, or one at a path.
package enum AgentListener: Sendable, Equatable {
  /// A socket that is open already.
  case descriptor(Int32)
  /// A socket that the agent makes, in a folder that only its user can enter.
  case path(String)

  /// Returns the sockets that a service manager passed on, by name, and forgets them, so no child
  /// process takes them for its own. `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES` describe them.
  package static func activated() -> [String: AgentListener] {
    let environment = ProcessInfo.processInfo.environment
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
    return activated(environment, process: getpid())
  }

  static func activated(
    _ environment: [String: String], process: Int32
  ) -> [String: AgentListener] {
    guard environment["LISTEN_PID"].flatMap({ Int32($0) }) == process,
      let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...16).contains(count)
    else { return [:] }
    let names = (environment["LISTEN_FDNAMES"] ?? "").split(
      separator: ":", omittingEmptySubsequences: false)
    var listeners: [String: AgentListener] = [:]
    for index in 0..<count {
      let name = Int(index) < names.count ? String(names[Int(index)]) : ""
      let isUnnamed = name.isEmpty || name == "unknown"
      listeners[isUnnamed && index == 0 ? "agent" : name] = .descriptor(3 + index)
    }
    return listeners
  }

  /// The path of the socket, or nil if it has none.
  package var path: String? {
    guard case .descriptor(let descriptor) = self else {
      if case .path(let path) = self { return path }
      return nil
    }
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    let path = withUnsafeBytes(of: &address.sun_path) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    return path.hasPrefix("/") ? path : nil
  }

  /// Makes the folder of a socket, and removes the socket that an earlier agent left. A socket at which
  /// somebody listens is never taken over.
  ///
  /// - Returns: The descriptor of a lock, which keeps other agents from the socket until it is closed.
  /// - Throws: ``AtRestError/Code/notPermitted`` if others can change the folder, or if something
  ///   else is in the place of the socket; ``AtRestError/Code/busy`` if the socket is in use;
  ///   ``AtRestError/Code/system``.
  static func prepare(_ path: String) throws -> Int32 {
    let folder = (path as NSString).deletingLastPathComponent
    try? FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid(), status.st_mode & 0o022 == 0
    else {
      throw AtRestError(
        .notPermitted, "The folder \(folder) is missing, or others can change it.",
        remedy: "Use a folder that only you can change, such as XDG_RUNTIME_DIR.")
    }
    let lock = open(path + ".lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else {
      throw AtRestError(
        .system, "Could not open \(path).lock: \(String(cString: strerror(errno))).",
        remedy: "Check the folder and its permissions.")
    }
    do {
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw Self.inUse(path) }
      guard lstat(path, &status) == 0 else { return lock }
      guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
        throw AtRestError(
          .notPermitted, "\(path) is not a socket of this user.", remedy: "Choose another path.")
      }
      // A service manager holds no such lock.
      guard !UnixSocket.isLive(path) else { throw Self.inUse(path) }
      unlink(path)
      return lock
    } catch {
      close(lock)
      throw error
    }
  }

  private static func inUse(_ path: String) -> AtRestError {
    AtRestError(
      .busy, "Another program listens at \(path).",
      remedy: "Choose another path with --socket, or end that program first.")
  }

  /// Returns a socket that is bound to a path, and that only its user can connect to. It never has other
  /// permissions, not even for a moment.
  ///
  /// - Throws: ``AtRestError/Code/system``.
  static func bound(to path: String) throws -> Int32 {
    let file = UnixSocket.make()
    // The mode of the socket becomes that of its file. The mask of the process is not changed for it,
    // because other threads create files meanwhile.
    guard file >= 0, fchmod(file, 0o600) == 0,
      UnixSocket.bind(file, to: path) == 0, chmod(path, 0o600) == 0
    else {
      let reason = String(cString: strerror(errno))
      if file >= 0 { close(file) }
      throw AtRestError(
        .system, "Could not listen at \(path): \(reason).",
        remedy: "Use a path of 100 bytes or less in a folder of your own.")
    }
    return file
  }
}
