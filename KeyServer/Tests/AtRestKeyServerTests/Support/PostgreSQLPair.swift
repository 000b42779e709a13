import Foundation

/// A primary and a standby that must have each commit. They are in two places, which stay the same over any number
/// of fail-overs, so that one connection string names both.
final class PostgreSQLPair {
  let servers: [PostgreSQLServer]
  private(set) var primary = 0

  init() throws {
    let first = try PostgreSQLServer()
    servers = [first, try PostgreSQLServer(standbyOf: first)]
    try first.requireStandby()
  }

  /// The connection string for whichever of them is the primary.
  ///
  /// - Parameter folders: The folders of their sockets, if those are not their own.
  func connection(through folders: [String]? = nil) -> String {
    let hosts = (folders ?? servers.map(\.folder)).joined(separator: ",")
    let ports = servers.map { "\($0.port)" }.joined(separator: ",")
    return "host=\(hosts) port=\(ports) user=keyserver dbname=postgres connect_timeout=2 "
      + "target_session_attrs=read-write"
  }

  /// Kills the primary with SIGKILL, and promotes the standby.
  func failOver() throws {
    try servers[primary].kill()
    primary = 1 - primary
    try servers[primary].promote()
  }

  /// Makes a standby of the server that was killed, which must have each commit.
  func restoreStandby() throws {
    try servers[1 - primary].becomeStandby(of: servers[primary])
    try servers[primary].requireStandby()
  }
}
