import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Testing

/// Several calls happen together, or not at all.
@Suite struct TransactionTests {
  private struct Failure: Error, Equatable {}

  @Test func aBodyThatThrowsChangesNothing() throws {
    let keychain = try SimulatedDevice().keychain()
    let reference = try keychain.put(password("kept"), "old")
    try keychain.put(password("deleted"))
    #expect(throws: Failure()) {
      try keychain.transaction {
        try keychain.put(password("new"))
        try keychain.change(password("kept"), "new")
        try keychain.move(password("kept"), to: password("moved"))
        try keychain.delete(password("deleted"))
        throw Failure()
      }
    }
    #expect(try keychain.text(password("kept")) == "old")
    #expect(try keychain.text(reference) == "old")
    #expect(try keychain.text(password("deleted")) == "s3cr3t")
    #expect(refusal { try keychain.text(password("new")) } == .notFound)
    #expect(refusal { try keychain.text(password("moved")) } == .notFound)
    #expect(try keychain.count() == 2)
    // The keychain continues to work.
    try keychain.put(password("new"))
    #expect(try keychain.count() == 3)
  }

  @Test func aBodyThatReturnsHappensWhole() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password("old"))
    let count = try keychain.transaction {
      try keychain.delete(password("old"))
      try keychain.put(password("new"), "1")
      try keychain.change(password("new"), "2")
      #expect(try keychain.text(password("new")) == "2", "It sees its own changes.")
      return try keychain.count()
    }
    #expect(count == 1)
    #expect(try keychain.text(password("new")) == "2")
  }

  @Test func closingInsideOfItEndsTheUseAfterIt() throws {
    let store = try DiskStore()
    let keychain = store.keychain
    try keychain.transaction {
      try keychain.put(password("before"))
      keychain.close()
      try keychain.put(password("after"))
    }
    #expect(refusal { try keychain.count() } == .locked)
    let reopened = try Keychain.open(
      store.keybag, identity: ApplicationIdentity("com.example.app"))
    #expect(try reopened.count() == 2)
    reopened.close()
  }

  @Test func closingInsideOfOneThatThrowsEndsTheUseToo() throws {
    let store = try DiskStore()
    let keychain = store.keychain
    #expect(throws: Failure()) {
      try keychain.transaction {
        try keychain.put(password())
        keychain.close()
        throw Failure()
      }
    }
    #expect(refusal { try keychain.count() } == .locked)
  }

  @Test func oneInsideAnotherJoinsIt() throws {
    let keychain = try SimulatedDevice().keychain()
    #expect(throws: Failure()) {
      try keychain.transaction {
        try keychain.transaction { try keychain.put(password()) }
        throw Failure()
      }
    }
    #expect(try keychain.count() == 0)
  }

  @Test func aRefusalThatTheBodyHandlesDoesNotEndIt() throws {
    let keychain = try SimulatedDevice().keychain()
    try keychain.put(password(), "old")
    try keychain.transaction {
      do {
        try keychain.put(password(), "new")
      } catch AtRestError.Code.duplicate {
        try keychain.change(password(), "new")
      }
    }
    #expect(try keychain.text(password()) == "new")
  }

  @Test func anUpdateOfSeveralThatFailsChangesNone() throws {
    let keychain = try SimulatedDevice().keychain()
    for account in ["a", "b", "c"] { try keychain.put(password(account), account) }
    #expect(
      refusal {
        try keychain.update(
          matching: KeychainQuery(.genericPassword), ItemChange(attributes: [.account: "same"]))
      } == .duplicate)
    for account in ["a", "b", "c"] { #expect(try keychain.text(password(account)) == account) }
  }
}
