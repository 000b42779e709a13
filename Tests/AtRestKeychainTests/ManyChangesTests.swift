import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation
import Testing

/// Changes are collected, compacted and merged into the trees of the index. Reads stay correct.
@Suite struct ManyChangesTests {
  private static let identity = ApplicationIdentity("com.example.app")

  /// Random writes by two alternating connections, compared with a model in memory.
  @Test(arguments: [1, 40]) func twoConnectionsAgreeWithAModel(_ perTransaction: Int) throws {
    let store = try DiskStore()
    let other = try Keychain.open(store.keybag, identity: Self.identity)
    defer { other.close() }
    var generator = SystemRandomNumberGenerator()
    var model: [String: (secret: String, label: String)] = [:]
    let rounds = perTransaction == 1 ? 700 : 120
    for round in 0..<rounds {
      let keychain = round % 7 < 4 ? store.keychain : other
      try keychain.transaction {
        for step in 0..<perTransaction {
          let account = "\(Int.random(in: 0..<(400 * perTransaction), using: &generator))"
          let key = password(account, service: "s\(account.count)")
          let label = "L\(Int.random(in: 0..<5, using: &generator))"
          if model[account] == nil {
            try keychain.put(key, "\(round).\(step)", [.label: .text(label)])
            model[account] = ("\(round).\(step)", label)
          } else if Bool.random(using: &generator) {
            try keychain.update(
              key, ItemChange(attributes: [.label: .text(label)]),
              secret: SecretBytes(utf8: "\(round).\(step)"))
            model[account] = ("\(round).\(step)", label)
          } else {
            try keychain.delete(key)
            model[account] = nil
          }
        }
      }
    }
    let reopened = try Keychain.open(store.keybag, identity: Self.identity)
    defer { reopened.close() }
    for keychain in [store.keychain, other, reopened] {
      #expect(try keychain.count() == model.count)
      for label in 0..<5 {
        let items = try keychain.items(
          matching: KeychainQuery(.genericPassword, [.label: .text("L\(label)")]), secrets: true)
        let expected = model.filter { $0.value.label == "L\(label)" }
        #expect(items.count == expected.count && items.withheld.isEmpty)
        #expect(items.allSatisfy { expected[$0.attributes.account ?? ""]?.secret == $0.text })
      }
      for number in 0..<400 {
        let key = password("\(number)", service: "s\("\(number)".count)")
        if let item = model["\(number)"] {
          #expect(try keychain.text(key) == item.secret)
        } else {
          #expect(refusal { try keychain.text(key) } == .notFound)
        }
      }
      #expect(try keychain.verify().problems.isEmpty)
    }
  }

  @Test func aFailedTransactionLeavesNothing() throws {
    struct Stop: Error {}
    let store = try DiskStore()
    try store.keychain.put(password("kept"))
    #expect(throws: Stop.self) {
      try store.keychain.transaction {
        for number in 0..<2_000 { try store.keychain.put(password("\(number)")) }
        try store.keychain.delete(password("kept"))
        throw Stop()
      }
    }
    #expect(try store.keychain.count() == 1)
    #expect(refusal { try store.keychain.text(password("7")) } == .notFound)
    try store.keychain.transaction {
      for number in 0..<2_000 { try store.keychain.put(password("\(number)"), "\(number)") }
    }
    #expect(try store.keychain.text(password("1234")) == "1234")
    #expect(try store.keychain.text(password("kept")) == "s3cr3t")
    #expect(try store.keychain.verify().problems.isEmpty)
  }
}
