import AtRest
import Foundation
import Testing

@Suite struct VaultLockTests {
  @Test func refusesValuesWhileLocked() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("text", in: .note)
    try eva.store(Data(count: 20_000), in: .report)
    test.device.lock()
    expect(.locked) { _ = try eva.value(in: .note) }
    expect(.locked) { _ = try eva.value(in: .report) }
    expect(.locked) { try eva.store("other", in: .note) }
    expect(.locked) { _ = try eva.contains(VaultRecord<String>.note) }
    try test.device.unlock()
    #expect(try eva.value(in: .note) == "text")
    #expect(try eva.value(in: .report) == Data(count: 20_000))
  }

  @Test func aListOfWhatIsLockedIsNotEmpty() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("text", in: .note)
    vault.lock()
    #expect(!vault.isUnlocked)
    expect(.locked) { _ = try eva.contents }
    try vault.unlock(passcode: phrase("1234"))
    #expect(try eva.contents.map(\.name) == ["note"])
  }

  @Test func refusesAnOpenFileWhileLocked() throws {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(Data(repeating: 7, count: 20_000), in: .report)
    let handle = try eva.open(.report)
    #expect(try handle.read(upToCount: 1, at: 0) == Data([7]))
    test.device.lock()
    expect(.locked) { _ = try handle.read(upToCount: 1, at: 0) }
    try test.device.unlock()
    #expect(try handle.read(upToCount: 1, at: 0) == Data([7]))
  }

  @Test func opensAfterARestartBeforeTheFirstUnlock() throws {
    let test = try TestVault()
    try test.open().logIn("eva").store("text", in: .note)
    try test.device.restart()
    let vault = try test.open()
    #expect(vault.launch == .further)
    let eva = try vault.logIn("eva")
    expect(.locked) { _ = try eva.value(in: .note) }
    try test.device.unlock()
    #expect(try eva.value(in: .note) == "text")
  }
}
