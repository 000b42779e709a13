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

  /// Libsodium is a part of the programs.
  @Test(arguments: ["", "-client"]) func `A program starts without libsodium`(program: String)
    throws
  {
    let loaded = try ChildProcess.run(["/usr/bin/ldd", ServerProgram.path + program])
    #expect(loaded.status == 0)
    #expect(!loaded.text.contains("libsodium"))
    // Control: ldd names the libraries.
    #expect(loaded.text.contains("libc.so"))
  }
}
