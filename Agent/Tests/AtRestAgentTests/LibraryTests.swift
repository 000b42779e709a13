import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The keychain of a process that has not unlocked the store goes through the agent.
struct LibraryTests {
  /// An agent that the library finds by the store, and a keychain of another process's kind.
  private struct Client {
    let run: AgentRun
    let claim: AgentClaim
    let keychain: Keychain

    init(_ groups: String..., grant: String..., mayWrite: Bool = true) throws {
      run = try AgentRun()
      claim = try AgentClaim(store: run.location.store, socket: run.socket)
      try run.unlock()
      for group in grant { try run.grant(group, mayWrite: mayWrite) }
      keychain = try Self.open(
        run, ApplicationIdentity(groups[0], keychainAccessGroups: Array(groups)))
    }

    static func open(
      _ run: AgentRun, _ identity: ApplicationIdentity, usesAgent: Bool = true
    ) throws -> Keychain {
      try Keychain.open(run.location.openKeybag(), identity: identity, usesAgent: usesAgent)
    }
  }

  private let mail = PrimaryKey.genericPassword(service: "mail", account: "eva")

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  @Test func itReadsAndLocksWithTheAgent() throws {
    let client = try Client("mail", grant: "mail")
    #expect(String(copying: try client.keychain.secret(for: mail)) == "mail secret")
    #expect(client.keychain.keybag.lockState == .beforeFirstUnlock)
    try client.run.connect().send(.lock)
    #expect(code { _ = try client.keychain.secret(for: mail) } == .locked)
    try client.run.unlock()
    #expect(String(copying: try client.keychain.secret(for: mail)) == "mail secret")
    // Control: without the agent, this process has no key for the item.
    let direct = try Client.open(client.run, ApplicationIdentity("mail"), usesAgent: false)
    #expect(code { _ = try direct.secret(for: mail) } == .locked)
  }

  @Test func refusalsStayApart() throws {
    let client = try Client("mail", grant: "mail", mayWrite: false)
    let missing = PrimaryKey.genericPassword(service: "mail", account: "nobody")
    #expect(code { _ = try client.keychain.secret(for: missing) } == .notFound)
    #expect(
      code { try client.keychain.add(missing, secret: SecretBytes(utf8: "x")) } == .notPermitted)
    // A group that the identity has, and that is not granted.
    let both = try Client.open(
      client.run, ApplicationIdentity("mail", keychainAccessGroups: ["mail", "bank"]))
    #expect(code { _ = try both.secret(for: missing) } == .notPermitted)
    #expect(code { _ = try both.items(matching: KeychainQuery(mail)) } == .notPermitted)
    // A group that the identity has not.
    let foreign = PrimaryKey.genericPassword(service: "bank", account: "eva", group: "bank")
    #expect(code { _ = try client.keychain.secret(for: foreign) } == .missingEntitlement)
    // The owner, who names no group, is not told that an item of another group does not exist.
    let owner = try Client.open(client.run, .owner())
    #expect(String(copying: try owner.secret(for: mail)) == "mail secret")
    #expect(
      code { _ = try owner.secret(for: .genericPassword(service: "bank", account: "eva")) }
        == .notPermitted)
  }

  @Test func itemsAreAddedChangedFoundAndDeleted() throws {
    let client = try Client("mail", grant: "mail")
    let keychain = client.keychain
    let key = PrimaryKey.genericPassword(service: "new", account: "eva")
    let reference = try keychain.add(
      key, secret: SecretBytes(utf8: "one"),
      attributes: [.label: "Label", .comment: .text(String(repeating: "c", count: 10_000))],
      protection: .accessible(.afterFirstUnlock))
    #expect(code { try keychain.add(key, secret: SecretBytes(utf8: "two")) } == .duplicate)
    var item = try keychain.item(for: key)
    #expect(item.reference == reference && item.group == "mail")
    #expect(item.attributes.label == "Label" && item.attributes.comment?.count == 10_000)
    #expect(item.protection == .accessible(.afterFirstUnlock) && item.hasSecret)
    try keychain.update(key, secret: SecretBytes(utf8: "two"))
    #expect(String(copying: try keychain.secret(for: reference)) == "two")
    try keychain.set(key, secret: SecretBytes(utf8: "three"), attributes: [.label: "Other"])
    try keychain.move(key, to: .genericPassword(service: "moved", account: "eva"))
    item = try keychain.item(for: reference)
    #expect(item.primaryKey.attributes[.service] == .text("moved"))
    #expect(item.attributes.label == "Other")
    let found = try keychain.items(
      matching: KeychainQuery(.genericPassword, [.account: "eva"]), secrets: true)
    #expect(found.count == 2 && found.withheld.isEmpty)
    #expect(
      found.compactMap { $0.withSecret { String(decoding: $0, as: UTF8.self) } }.contains("three"))
    #expect(
      try keychain.update(
        matching: KeychainQuery(.genericPassword, [.account: "eva"]),
        ItemChange(attributes: [.comment: "all"])) == 2)
    #expect(
      String(copying: try keychain.getOrCreate(mail) { throw CancellationError() })
        == "mail secret")
    let made = PrimaryKey.genericPassword(service: "made", account: "eva")
    #expect(
      String(copying: try keychain.getOrCreate(made) { SecretBytes(utf8: "made") }) == "made")
    try keychain.delete(reference)
    #expect(code { _ = try keychain.item(for: reference) } == .notFound)
    #expect(try keychain.delete(matching: KeychainQuery(.genericPassword, [.account: "eva"])) == 2)
  }

  /// The group to which an item is moved does not name the group in which it is found.
  @Test func anItemMovesToAnotherGroup() throws {
    let client = try Client("mail", "bank", grant: "mail", "bank")
    try client.keychain.update(mail, ItemChange(attributes: [.account: "moved"], group: "bank"))
    let moved = PrimaryKey.genericPassword(service: "mail", account: "moved", group: "bank")
    #expect(String(copying: try client.keychain.secret(for: moved)) == "mail secret")
    #expect(code { _ = try client.keychain.secret(for: mail) } == .notFound)
  }

  @Test func privateKeysStayInTheAgent() throws {
    let client = try Client("mail", grant: "mail")
    let keychain = client.keychain
    let message = Data("message".utf8)
    for algorithm in [KeyAlgorithm.p256, .ed25519, .rsa2048] {
      let tag = algorithm.name
      let publicKey = try keychain.createKey(algorithm, tag: tag)
      #expect(try keychain.publicKey(tag: tag) == publicKey)
      let signature = try keychain.sign(message, tag: tag)
      #expect(try publicKey.isValidSignature(signature, for: message))
      #expect(code { _ = try keychain.exportKey(tag: tag) } == .notPermitted)
    }
    let other = try PrivateKey.generate(.p256)
    let agreed = try keychain.sharedSecret(with: other.publicKey, tag: "p256")
    let same = try other.sharedSecret(with: keychain.publicKey(tag: "p256"))
    #expect(Data(copying: agreed) == Data(copying: same))
    let box = try keychain.publicKey(tag: "rsa2048").encrypt(SecretBytes(utf8: "boxed"))
    #expect(String(copying: try keychain.decrypt(box, tag: "rsa2048")) == "boxed")
    try keychain.importKey(other, tag: "other", isExtractable: true)
    #expect(try keychain.exportKey(tag: "other").publicKey == other.publicKey)
    try keychain.deleteKey(tag: "p256")
    #expect(code { _ = try keychain.sign(message, tag: "p256") } == .notFound)
    try client.run.connect().send(.lock)
    #expect(code { _ = try keychain.sign(message, tag: "ed25519") } == .locked)
  }

  @Test func applicationPasswordsReachTheAgent() throws {
    let client = try Client("mail", grant: "mail")
    let key = PrimaryKey.genericPassword(service: "app", account: "eva")
    let protection = ItemProtection.controlled(.applicationPassword(.whenUnlocked))
    func context(_ password: String) -> AuthenticationContext {
      AuthenticationContext(applicationPassword: SecretBytes(utf8: password))
    }
    try client.keychain.add(
      key, secret: SecretBytes(utf8: "guarded"), protection: protection, context: context("right"))
    #expect(
      String(copying: try client.keychain.secret(for: key, context: context("right"))) == "guarded")
    #expect(
      code { _ = try client.keychain.secret(for: key, context: context("wrong")) }
        == .authenticationFailed)
    #expect(code { _ = try client.keychain.secret(for: key) } == .interactionNotAllowed)
  }

  @Test func theAgentsOwnItemsStayHidden() throws {
    let client = try Client("mail", grant: "*")
    let owner = try Client.open(client.run, .owner())
    let all = try owner.items(matching: KeychainQuery(.genericPassword))
    #expect(Set(all.map(\.group)) == ["mail", "bank"])
    let own = ApplicationIdentity("atrest.agent")
    let direct = try Keychain.open(
      client.run.location.openKeybag(), identity: .agent, usesAgent: false)
    try direct.keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let grant = try #require(
      try direct.items(matching: KeychainQuery(.genericPassword)).first)
    #expect(code { _ = try owner.item(for: grant.reference) } == .notFound)
    #expect(code { try owner.delete(grant.reference) } == .notFound)
    #expect(
      code { _ = try Client.open(client.run, own).secret(for: grant.primaryKey) }
        == .missingEntitlement)
    try owner.delete(matching: KeychainQuery(.genericPassword, synchronizable: .any))
    #expect(try direct.items(matching: KeychainQuery(.genericPassword)).count == 1)
  }

  /// A process that unlocks the store itself uses it directly, whatever the agent does.
  @Test func anUnlockedProcessUsesTheStoreDirectly() throws {
    let client = try Client("bank", grant: "mail")
    let bank = PrimaryKey.genericPassword(service: "bank", account: "eva")
    #expect(code { _ = try client.keychain.secret(for: bank) } == .notPermitted)
    try client.keychain.keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    #expect(String(copying: try client.keychain.secret(for: bank)) == "bank secret")
  }

  @Test func aRestartedAgentIsFoundAgain() throws {
    let client = try Client("mail", grant: "mail")
    #expect(String(copying: try client.keychain.secret(for: mail)) == "mail secret")
    try client.run.restart()
    #expect(code { _ = try client.keychain.secret(for: mail) } == .locked)
    try client.run.unlock()
    #expect(String(copying: try client.keychain.secret(for: mail)) == "mail secret")
  }
}
