import AtRest
import Foundation
import Testing

/// The contents that an open value provides, and how long it stays open.
@Suite struct HandleTests {
  private func open(_ retention: Retention? = nil) throws -> (
    TestVault, Compartment, ProtectedFileHandle
  ) {
    let test = try TestVault()
    let eva = try test.open().logIn("eva")
    try eva.store(
      Data(repeating: 7, count: 20_000), in: VaultRecord("report", .document, keep: retention))
    return (test, eva, try eva.open(.report))
  }

  @Test func endsAtTheLogout() throws {
    let (test, eva, handle) = try open()
    let ada = try eva.vault.logIn("ada")
    try ada.store(Data(repeating: 8, count: 20_000), in: .report)
    let other = try ada.open(.report)
    try eva.logOut()
    expect(.invalidArgument) { _ = try handle.read(upToCount: 1, at: 0) }
    #expect(try other.read(upToCount: 1, at: 0) == Data([8]))
    _ = test
  }

  @Test func endsAtAWipe() throws {
    let (_, eva, handle) = try open()
    try eva.vault.wipe()
    expect(.invalidArgument) { _ = try handle.read(upToCount: 1, at: 0) }
  }

  @Test func staysForTheOneUse() throws {
    let (_, eva, handle) = try open(Retention(uses: 1))
    #expect(try handle.read(upToCount: 1, at: 0) == Data([7]))
    expect(.expired) { _ = try eva.open(.report) }
  }
}
