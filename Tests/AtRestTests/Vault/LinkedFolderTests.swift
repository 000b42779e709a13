import AtRest
import AtRestSimulation
import Foundation
import Testing

/// A link in place of one of the vault's folders is damage, and its target is not touched.
@Suite struct LinkedFolderTests {
  private let test: TestVault
  private let victim: URL
  /// Names of a user's files, and names that look like those of a vault.
  private static let names = [
    ".bashrc", "thesis/ch1.txt", "0123456789abcdef0123456789abcdef",
    "fedcba9876543210fedcba9876543210/0123456789abcdef0123456789abcdef",
  ]

  init() throws {
    test = try TestVault()
    let vault = try test.open()
    try vault.logIn("eva").store(Data(count: 20_000), in: .report)
    victim = test.folder.deletingLastPathComponent()
      .appendingPathComponent("victim-\(UUID().uuidString)")
    for name in Self.names {
      let file = victim.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data("precious".utf8).write(to: file)
    }
  }

  private func expectWhole() throws {
    for name in Self.names {
      #expect(
        try Data(contentsOf: victim.appendingPathComponent(name)) == Data("precious".utf8),
        "\(name)")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: victim.path).count == 4)
  }

  private func replace(_ folder: URL) throws {
    try FileManager.default.moveItem(at: folder, to: test.folder.appendingPathExtension("moved"))
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: victim)
  }

  private func cleanUp() {
    for url in [victim, test.folder.appendingPathExtension("moved")] {
      try? FileManager.default.removeItem(at: url)
    }
  }

  private var compartment: URL {
    get throws {
      test.folder.appendingPathComponent("values/\(test.valueFiles[0])").deletingLastPathComponent()
    }
  }

  @Test(arguments: ["folder", "values", "compartment"])
  func isRefusedAtEachUse(_ which: String) throws {
    defer { cleanUp() }
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    let place =
      switch which {
      case "folder": test.folder
      case "values": test.folder.appendingPathComponent("values")
      default: try compartment
      }
    try replace(place)
    expect(.damaged) { _ = try test.open() }
    try expectWhole()
    // A compartment that was open before.
    expect(.damaged) { _ = try eva.value(in: .report) }
    expect(.damaged) { try eva.store(Data(count: 30_000), in: .report) }
    expect(.damaged) { _ = try vault.purge() }
    expect(.damaged) { try eva.logOut() }
    expect(.damaged) { try vault.wipe() }
    try expectWhole()
  }

  /// Control: the link is refused, not the folder that was moved.
  @Test func theFolderPutBackOpens() throws {
    defer { cleanUp() }
    let values = test.folder.appendingPathComponent("values")
    try replace(values)
    expect(.damaged) { _ = try test.open() }
    try FileManager.default.removeItem(at: values)
    try FileManager.default.moveItem(at: test.folder.appendingPathExtension("moved"), to: values)
    #expect(try test.open().logIn("eva").value(in: .report) == Data(count: 20_000))
  }

  /// Other files in the vault's folder are not the vault's to remove.
  @Test func whatTheVaultDidNotMakeStays() throws {
    defer { cleanUp() }
    let values = test.folder.appendingPathComponent("values")
    let own = [
      values.appendingPathComponent("notes.txt"), try compartment.appendingPathComponent("x"),
    ]
    for file in own { try Data("mine".utf8).write(to: file) }
    let lost = try compartment.appendingPathComponent("00000000000000000000000000000000")
    try Data("left by a crash".utf8).write(to: lost)
    let vault = try test.open()
    // Control: a file that the vault made and lost is removed.
    #expect(!FileManager.default.fileExists(atPath: lost.path))
    try vault.logIn("eva").logOut()
    try vault.wipe()
    for file in own { #expect(try Data(contentsOf: file) == Data("mine".utf8)) }
    #expect(test.valueFiles.count == 1)
  }
}
