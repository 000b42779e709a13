import Testing

/// The agent has no code for the network, as the command (`LoadedLibraryTests` of the root package).
struct LoadedLibraryTests {
  private static let ofNetworks = [
    "libcurl", "libssl", "libcrypto", "libldap", "libkrb5", "FoundationNetworking",
  ]

  @Test func theAgentLoadsNoLibraryOfTheNetwork() throws {
    let loaded = try AgentRun().execute("/usr/bin/ldd", [AgentProgram.path()])
    #expect(loaded.status == 0)
    for name in Self.ofNetworks { #expect(!loaded.text.contains(name)) }
    // Control: ldd names the libraries.
    #expect(loaded.text.contains("libc.so"))
  }
}
