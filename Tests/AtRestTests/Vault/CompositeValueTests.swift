import AtRest
import Foundation
import Testing

@Suite struct CompositeValueTests {
  private let message = VaultRecord<String>("message", .message)

  private func test() throws -> TestVault {
    let test = try TestVault()
    test.options.compositeKey = recipe("of the server")
    return test
  }

  private func recipe(_ part: String) -> CompositeKey {
    CompositeKey([.deviceIdentifier, .server { SecretBytes(utf8: part) }])
  }

  @Test func keepsSensitiveDataWithoutAPassphrase() throws {
    let test = try test()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    #expect(try vault.explain(message).key == .composite)
    try eva.store("hello", in: message)
    #expect(try eva.value(in: message) == "hello")
    #expect(try test.open().logIn("eva").value(in: message) == "hello")
  }

  @Test func doesNotOpenWithAnotherRecipeOrNone() throws {
    let test = try test()
    try test.open().logIn("eva").store("hello", in: message)
    test.options.compositeKey = recipe("of another")
    expect(.damaged) { _ = try test.open().logIn("eva").value(in: message) }
    test.options.compositeKey = nil
    expect(.invalidArgument) { _ = try test.open().logIn("eva").value(in: message) }
  }

  @Test func doesNotDoForHighlySensitiveData() throws {
    let test = try test()
    let eva = try test.open().logIn("eva")
    expect(.passphraseNotSet) { try eva.store(Data([1]), in: .genome) }
  }

  @Test func withoutItsSaltIsDamagedAndNotNew() throws {
    let test = try test()
    let vault = try test.open()
    let eva = try vault.logIn("eva")
    try eva.store("hello", in: message)
    let salts = try vault.keychain.items(
      matching: KeychainQuery(.genericPassword, [.account: "salt"]))
    for salt in salts { try vault.keychain.delete(salt.primaryKey) }
    #expect(salts.count == 1)
    expect(.damaged) { _ = try eva.value(in: message) }
    #expect(
      try vault.keychain.items(matching: KeychainQuery(.genericPassword, [.account: "salt"]))
        .isEmpty)
  }
}
