import Testing

/// Libpq is loaded when it is needed, and with it the system's OpenSSL, Kerberos and LDAP.
@Suite struct LoadedLibraryTests {
  private static let others = ["libpq", "libcurl", "libssl", "libcrypto", "libldap", "libgssapi"]

  @Test func theServerStartsWithoutThem() throws {
    let loaded = try ChildProcess.run(["/usr/bin/ldd", ServerProgram.path])
    #expect(loaded.status == 0)
    for name in Self.others { #expect(!loaded.text.contains(name)) }
    // Control: ldd names the libraries.
    #expect(loaded.text.contains("libsqlite3"))
  }
}
