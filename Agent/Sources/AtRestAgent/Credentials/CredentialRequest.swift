/// A request of systemd for `LoadCredential=ID:/path/of/the/socket`.
///
/// systemd binds its end of the connection to the abstract name `RANDOM/unit/UNIT/ID`.
struct CredentialRequest: Equatable {
  let unit: String
  let credential: String

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
