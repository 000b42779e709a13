import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

@Suite struct HardenedRootTests {
  private let realm = Data(repeating: 1, count: 16)
  private let salt = Data(repeating: 2, count: 16)
  private let kdf = try! TestKDF.fast

  private func root(_ passphrase: String, _ account: String, _ key: EvaluationKey) throws
    -> (key: Data, verifyingKey: Data)
  {
    let input = try HardenedRoot.input(
      SecretBytes(utf8: passphrase), realm: realm, account: account)
    let output = SecretBytes(try key.output(of: Data(copying: input)))
    let root = try HardenedRoot(output: output, kdf: kdf, salt: salt)
    return (Data(copying: root.key), try root.verifyingKey)
  }

  @Test func `Passphrase, account and server key each change the result`() throws {
    let key = EvaluationKey()
    let one = try root("a passphrase", "eva", key)
    #expect(try root("a passphrase", "eva", key) == one)
    #expect(try root("another passphrase", "eva", key) != one)
    #expect(try root("a passphrase", "tom", key) != one)
    #expect(try root("a passphrase", "eva", EvaluationKey()) != one)
    #expect(one.key != one.verifyingKey)
  }

  @Test func `A proof holds for one attempt, account and realm`() throws {
    let root = try HardenedRoot(output: .random(count: 48), kdf: kdf, salt: salt)
    let verifyingKey = try root.verifyingKey
    let attempt = Data(repeating: 3, count: 16)
    let proof = try root.proof(realm: realm, account: "eva", attempt: attempt)
    func isValid(_ realm: Data, _ account: String, _ attempt: Data) -> Bool {
      HardenedRoot.isValid(
        proof, verifyingKey: verifyingKey, realm: realm, account: account, attempt: attempt)
    }
    #expect(isValid(realm, "eva", attempt))
    #expect(!isValid(Data(count: 16), "eva", attempt))
    #expect(!isValid(realm, "tom", attempt))
    #expect(!isValid(realm, "eva", Data(count: 16)))
  }

  @Test func `An empty or overlong passphrase is refused`() {
    for count in [0, 1025] {
      expectError(.invalidArgument) {
        try HardenedRoot.input(SecretBytes(Data(count: count)), realm: realm, account: "eva")
      }
    }
  }
}
