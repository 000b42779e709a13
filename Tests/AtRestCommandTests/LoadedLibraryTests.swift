import Testing

/// A program that keeps secrets has no code for the network: no HTTP, no TLS of the system, no LDAP.
@Suite struct LoadedLibraryTests {
  private static let ofNetworks = [
    "libcurl", "libssl", "libcrypto", "libldap", "libkrb5", "FoundationNetworking",
  ]

  @Test func theCommandLoadsNoLibraryOfTheNetwork() throws {
    let run = try CommandRun()
    let loaded = try run.execute("/usr/bin/ldd", [CommandRun.binary().path])
    #expect(loaded.status == 0)
    for name in Self.ofNetworks { #expect(!loaded.text.contains(name)) }
    // Control: ldd names the libraries.
    #expect(loaded.text.contains("libsqlite3"))
  }
}
