import AtRest
import Foundation
import Testing

/// If a caller's transaction is rolled back, files must not have been removed meanwhile.
@Suite struct CallersTransactionTests {
  private struct Failure: Error {}

  @Test func givesAValueBackWithItsFile() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store(Data(count: 20_000), in: .report)
    for work: () throws -> Void in [
      { try eva.store(Data(count: 30_000), in: .report) },
      { try eva.remove(VaultRecord<Data>.report) },
      {
        try eva.store(Data(count: 30_000), in: .report)
        _ = try? vault.purge()
      },
      { try? eva.logOut() },
      { try? vault.wipe() },
      { _ = try? Vault.open(in: test.folder, keychain: vault.keychain) },
    ] {
      #expect(throws: Failure.self) {
        try vault.keychain.transaction {
          try work()
          throw Failure()
        }
      }
      #expect(try eva.value(in: .report) == Data(count: 20_000))
    }
  }

  @Test func refusesWhatCannotBeTakenBack() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    for work: () throws -> Void in [
      { try vault.purge() }, { try eva.logOut() }, { try vault.wipe() },
      { _ = try Vault.open(in: test.folder, keychain: vault.keychain) },
    ] {
      expect(.invalidArgument) { try vault.keychain.transaction { try work() } }
    }
  }

  @Test func takesTurnsWithAPurge() throws {
    let test = try TestVault()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    DispatchQueue.concurrentPerform(iterations: 2) { turn in
      for number in 0..<100 {
        guard turn > 0 else {
          _ = try? vault.purge()
          continue
        }
        try? vault.keychain.transaction {
          try eva.store(Data(repeating: UInt8(number), count: 20_000), in: .report)
        }
      }
    }
    #expect(try eva.value(in: .report) == Data(repeating: 99, count: 20_000))
  }
}
