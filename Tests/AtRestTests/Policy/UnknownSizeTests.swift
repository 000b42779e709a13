import AtRest
import Testing

/// An explanation without a size names the size that matters.
@Suite struct UnknownSizeTests {
  private let document = VaultRecord<String>("note", .document)

  @Test func theLimitIsNamed() throws {
    let vault = try TestVault().open()
    let decision = try vault.explain(document)
    #expect(decision.store == .keychain && decision.largestItem == 16_384)
    #expect(decision.description.contains("store: keychain up to 16384 bytes, file above\n"))
    #expect(decision.description.contains("Its size matters"))
    #expect(!decision.description.contains("It has at most"))
  }

  /// Control: with a size, the decision is for this size alone.
  @Test(arguments: [(16_384, StorageDecision.Store.keychain), (16_385, .file)])
  func aSizeDecides(_ size: Int, _ store: StorageDecision.Store) throws {
    let decision = try TestVault().open().explain(document, size: size)
    #expect(decision.store == store && decision.largestItem == nil)
    #expect(decision.description.contains("store: \(store.rawValue)\n"))
  }

  /// Control: a kind with one place has no size that matters.
  @Test func aKindWithOnePlaceHasNoLimit() throws {
    let vault = try TestVault().open()
    #expect(try vault.explain(VaultRecord<String>("token", .token)).largestItem == nil)
    #expect(try vault.explain(VaultRecord<String>("file", .attachment)).largestItem == nil)
  }

  @Test func theArticleFits() throws {
    let decision = try TestVault().open().explain(VaultRecord<String>("id", .identityDocument))
    #expect(decision.description.contains("an identity-document of the owner"))
    #expect(decision.description.contains("- An identity-document is"))
  }
}
