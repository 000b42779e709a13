import CAtRestPeer

/// A request of systemd for `LoadCredential=ID:/path/of/the/socket`.
///
/// systemd binds its end of the connection to the abstract name `RANDOM/unit/UNIT/ID`.
struct CredentialRequest: Equatable, Sendable {
  let unit: String
  let credential: String

  /// Reads the name of the other end of a connected socket. Returns nil if it is not one of systemd's.
  init?(socket: Int32) {
    var name = [CChar](repeating: 0, count: 128)
    let count = atrest_get_peer_name(socket, &name, name.count)
    guard count > 0,
      let text = String(validating: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    else { return nil }
    self.init(name: text)
  }

  /// Reads the name of systemd's end. Returns nil for any other name.
  init?(name: String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[1] == "unit", parts.allSatisfy({ !$0.isEmpty }) else {
      return nil
    }
    unit = String(parts[2])
    credential = String(parts[3])
  }
}
