import Foundation
import Testing

/// The auditor has no code for the network, so nothing of a project can leave the machine with it.
@Suite struct LoadedLibraryTests {
  private static let ofNetworks = [
    "libcurl", "libssl", "libcrypto", "libldap", "libkrb5", "FoundationNetworking",
  ]

  @Test func theAuditorLoadsNoLibraryOfTheNetwork() throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/ldd")
    process.arguments = [try CommandRun.binary().path]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let loaded = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    for name in Self.ofNetworks { #expect(!loaded.contains(name)) }
    // Control: ldd names the libraries.
    #expect(loaded.contains("libzstd"))
  }
}
