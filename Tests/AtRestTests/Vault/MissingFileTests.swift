import AtRest
import AtRestSimulation
import Foundation
import Testing

/// The answer of a vault to each of its files that is missing or empty: `docs/Architecture.md`, *When a file
/// is missing*.
@Suite struct MissingFileTests {
  private func withValue() throws -> (TestVault, value: URL) {
    let test = try TestVault()
    test.options.reinstallation = .refuse
    let eva = try test.open().logIn("eva")
    try eva.store(Data(repeating: 1, count: 20_000), in: .report)
    return (test, test.folder.appendingPathComponent("values/\(test.valueFiles[0])"))
  }

  private func read(_ test: TestVault) throws {
    let value = try test.open().logIn("eva").value(in: .report)
    #expect(value == Data(repeating: 1, count: 20_000))
  }

  @Test func aValueWhoseFileIsMissingOrEmptyIsDamaged() throws {
    let (test, file) = try withValue()
    try read(test)
    let whole = try Data(contentsOf: file)
    try FileManager.default.removeItem(at: file)
    expect(.damaged) { try read(test) }
    #expect(!FileManager.default.fileExists(atPath: file.path))
    try Data().write(to: file)
    expect(.damaged) { try read(test) }
    // The control.
    try whole.write(to: file)
    try read(test)
  }

  @Test func aMissingMarkerIsNoFirstLaunchAndAnEmptyOneIsDamaged() throws {
    let (test, _) = try withValue()
    let names = try FileManager.default.contentsOfDirectory(atPath: test.folder.path)
    let name = try #require(names.first { !["lock", "values", "writing"].contains($0) })
    let marker = test.folder.appendingPathComponent(name)
    let whole = try Data(contentsOf: marker)
    try FileManager.default.removeItem(at: marker)
    expect(.notPermitted) { _ = try test.open() }
    try Data().write(to: marker)
    expect(.damaged) { _ = try test.open() }
    try whole.write(to: marker)
    try read(test)
  }

  /// Locks have no contents, and are made again.
  @Test(arguments: ["lock", "writing"]) func aMissingLockIsMadeAgain(_ name: String) throws {
    let (test, _) = try withValue()
    try FileManager.default.removeItem(at: test.folder.appendingPathComponent(name))
    try read(test)
  }
}
