import AtRestCrypto
import AtRestKeyServerProtocol
import Foundation
import Testing

@Suite struct SuccessorTests {
  private let realm = Data(repeating: 1, count: 16)
  private let former = EvaluationKey(.p384)
  private let next = EvaluationKey(.ristretto255).publicKey

  private func successor(
    of key: borrowing SecretBytes, _ publicKey: GroupElement? = nil
  ) throws -> Successor {
    try Successor(publicKey ?? next, of: key, realm: realm, account: "eva")
  }

  @Test func `A successor holds for one key, account and realm`() throws {
    let successor = try successor(of: former.privateKey)
    #expect(successor.follows(former.publicKey, realm: realm, account: "eva"))
    #expect(!successor.follows(former.publicKey, realm: realm, account: "tom"))
    #expect(!successor.follows(former.publicKey, realm: Data(count: 16), account: "eva"))
    #expect(!successor.follows(EvaluationKey(.p384).publicKey, realm: realm, account: "eva"))
    var other = successor
    other.publicKey = EvaluationKey(.ristretto255).publicKey
    #expect(!other.follows(former.publicKey, realm: realm, account: "eva"))
  }

  @Test func `No successor leads to the same or an older suite`() throws {
    let same = try successor(of: former.privateKey, EvaluationKey(.p384).publicKey)
    #expect(!same.follows(former.publicKey, realm: realm, account: "eva"))
    let older = try successor(of: former.privateKey, former.publicKey)
    #expect(!older.follows(next, realm: realm, account: "eva"))
  }
}
