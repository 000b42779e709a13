import AtRestCrypto
import Foundation

/// A socket on which the agent listens: one that a service manager opened, or one at a path.
public enum AgentListener: Sendable, Equatable {
  /// A socket that is open already.
  case descriptor(Int32)
  /// A socket that the agent makes, in a folder that only its user can enter.
  case path(String)

  /// Returns the sockets that a service manager passed on, by name, and forgets them, so no child
  /// process takes them for its own. `LISTEN_PID`, `LISTEN_FDS` and `LISTEN_FDNAMES` describe them.
  public static func activated() -> [String: AgentListener] {
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

  /// Makes the folder of a socket, and removes the socket that an earlier agent left.
  ///
  /// - Throws: ``AtRestError/Code/notPermitted`` if others can change the folder, or if something
  ///   else is in the place of the socket; ``AtRestError/Code/system``.
  static func prepare(_ path: String) throws {
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
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK, status.st_uid == geteuid() else {
      throw AtRestError(
        .notPermitted, "\(path) is not a socket of this user.", remedy: "Choose another path.")
    }
    unlink(path)
  }
}
