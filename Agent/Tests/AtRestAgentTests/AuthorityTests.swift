@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent
@testable import AtRestCrypto

/// Nothing that is written without the passcode changes what a program may do.
struct AuthorityTests {
  private static let group = "atrest.agent"
  private static let forged = """
    {"id":"deadbeef","evidence":{"kind":"user","value":"\(geteuid())"},"groups":["*"],
     "mayWrite":true,"isForSandboxes":true,"created":0}
    """
  private static let key = PrimaryKey.genericPassword(
    service: "grant", account: "deadbeef", group: group)

  private func code(_ body: () throws -> Void) -> AtRestError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? AtRestError)?.code
    }
  }

  /// A program that can write to both folders can make items of the classes that need no passcode, with
  /// code of its own. Here it has the agent's own identity.
  @Test(arguments: Accessibility.allCases)
  func anItemOfAnotherClassIsNoGrant(_ accessibility: Accessibility) throws {
    let run = try AgentRun()
    let keybag = try run.location.openKeybag()
    let keychain = try Keychain.open(keybag, identity: .agent, usesAgent: false)
    func add() throws {
      try keychain.add(
        Self.key, secret: SecretBytes(utf8: Self.forged), protection: .accessible(accessibility))
    }
    let needsUnlock = code(add) == .locked
    if needsUnlock {
      // Only the passcode makes an item of the class of grants.
      try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
      try add()
    }
    keychain.close()
    try run.restart()
    try run.unlock()
    let grants: [AgentGrant] = try run.connect().document(.grants)
    let isGrant = accessibility == .whenUnlockedThisDeviceOnly
    #expect(grants.map(\.id) == (isGrant ? ["deadbeef"] : []))
    #expect(needsUnlock || !isGrant)
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == (isGrant ? nil : .notPermitted))
  }

  /// Before the first unlock the agent knows no grant, and everything is locked.
  @Test func everythingIsLockedBeforeTheFirstUnlock() throws {
    let run = try AgentRun()
    try run.grant("*", mayWrite: true)
    try run.restart()
    let change = AgentRequest.set(
      AgentRun.mail, secret: AgentRun.secret("x"), accessible: .alwaysThisDeviceOnly, groups: [])
    let listing = AgentRequest.list(.genericPassword, [:], groups: [])
    for request in [.get(AgentRun.mail, groups: []), change, listing, .grants] {
      #expect(run.refusal(request) == .locked, "\(request.operation)")
    }
    // Control: the grant is there after the unlock, and still after a lock.
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    try run.connect().send(.lock)
    #expect(try (run.connect().document(.grants) as [AgentGrant]).count == 1)
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .locked)
  }

  /// A grant can be given while the store is locked, which it stays.
  @Test func aGrantUnlocksNothing() throws {
    let run = try AgentRun()
    try run.grant("mail")
    #expect(!run.service.isUnlocked)
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .locked)
    try run.unlock()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    // An open store is not enough for another one.
    let wanted = AgentGrant(AgentEvidence(.user, "\(geteuid())"), groups: ["*"], mayWrite: true)
    for wrong in ["", "wrong"] {
      #expect(
        run.refusal(.addGrant(wanted, passcode: AgentRun.secret(wrong))) == .authenticationFailed)
    }
    #expect(try (run.connect().document(.grants) as [AgentGrant]).count == 1)
  }

  /// No keychain but the agent's has the agent's group, not even an unlocked one of the owner.
  @Test(arguments: [
    ApplicationIdentity.owner(), ApplicationIdentity("atrest.agent"),
    ApplicationIdentity("mail", keychainAccessGroups: ["mail", "atrest.agent"]),
    ApplicationIdentity("mail", applicationGroups: ["atrest.agent"]),
  ])
  func everyCallThatWritesRefusesTheGroup(_ identity: ApplicationIdentity) throws {
    let run = try AgentRun()
    let given = try run.grant("mail")
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let keychain = try Keychain.open(keybag, identity: identity, usesAgent: false)
    let secret = { SecretBytes(utf8: Self.forged) }
    let own = PrimaryKey.genericPassword(service: "own", account: "eva", group: "mail")
    let grant = PrimaryKey.genericPassword(service: "grant", account: given.id, group: Self.group)
    let protection = ItemProtection.accessible(.alwaysThisDeviceOnly)
    let pair = try PrivateKey.generate(.ed25519)
    let calls: [(String, () throws -> Void)] = [
      ("add", { try keychain.add(Self.key, secret: secret(), protection: protection) }),
      ("set", { try keychain.set(Self.key, secret: secret(), protection: protection) }),
      ("getOrCreate", { _ = try keychain.getOrCreate(Self.key) { secret() } }),
      ("update", { try keychain.update(grant, secret: secret()) }),
      ("update group", { try keychain.update(own, ItemChange(group: Self.group)) }),
      ("move", { try keychain.move(own, to: Self.key) }),
      ("delete", { try keychain.delete(grant) }),
      ("create key", { _ = try keychain.createKey(.p256, tag: "t", group: Self.group) }),
      ("import key", { _ = try keychain.importKey(pair, tag: "t", group: Self.group) }),
      ("get", { _ = try keychain.secret(for: grant) }),
      ("delete all", { try keychain.deleteAllItems(in: Self.group) }),
      (
        "delete query",
        { try keychain.delete(matching: KeychainQuery(.genericPassword, group: Self.group)) }
      ),
    ]
    if identity.isOwner {
      try keychain.add(own, secret: SecretBytes(utf8: "x"))
    }
    for (name, call) in calls {
      let code = code(call)
      #expect(
        code == .missingEntitlement || (code == .notFound && !identity.isOwner),
        "\(name) \(code as Any)")
    }
    // Without a name of the group, its items are not found either.
    if !identity.accessGroups.isEmpty || identity.isOwner {
      try keychain.delete(matching: KeychainQuery(.genericPassword, [.service: "grant"]))
    }
    try run.restart()
    try run.unlock()
    #expect(try (run.connect().document(.grants) as [AgentGrant]).map(\.id) == [given.id])
  }

  /// A backup contains no grants, so it gives none back.
  @Test func aBackupHasNoGrants() throws {
    let run = try AgentRun()
    let given = try run.grant("mail")
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let keychain = try Keychain.open(keybag, identity: .owner(), usesAgent: false)
    let backup = run.folder.appendingPathComponent("backup")
    let passphrase = { SecretBytes(utf8: "gravel otter mandolin 52 quilt") }
    try keychain.backup(to: backup, passphrase: passphrase(), kdf: .forTesting)
    try run.connect().send(
      .removeGrant(given.id, passcode: AgentRun.secret(AgentRun.passcode)))
    try keychain.restore(from: backup, passphrase: passphrase(), conflicts: .replace)
    try run.restart()
    try run.unlock()
    #expect(try (run.connect().document(.grants) as [AgentGrant]).isEmpty)
  }

  /// All grants of a request are given, or none.
  @Test func grantsAreGivenTogether() throws {
    let run = try AgentRun()
    let good = AgentGrant(AgentEvidence(.user, "\(geteuid())"), groups: ["mail"], mayWrite: false)
    let bad = AgentGrant(AgentEvidence(.user, "1"), groups: [Self.group], mayWrite: false)
    let passcode = AgentRun.secret(AgentRun.passcode)
    #expect(run.refusal(.addGrants([good, bad], passcode: passcode)) == .invalidArgument)
    try run.unlock()
    #expect(try (run.connect().document(.grants) as [AgentGrant]).isEmpty)
    // No grant rests on a terminal.
    let terminal = AgentGrant(AgentEvidence(.terminal, "session 1"), groups: ["a"], mayWrite: false)
    #expect(run.refusal(.addGrants([terminal], passcode: passcode)) == .invalidArgument)
    // A grant that is there already is not stored twice.
    let first = try run.give(good)
    #expect(try run.give(good).id == first.id)
    #expect(try (run.connect().document(.grants) as [AgentGrant]).count == 1)
  }

  /// Groups are compared as bytes, as the database compares them.
  @Test func groupsAreComparedAsBytes() throws {
    let run = try AgentRun()
    let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    let keychain = try Keychain.open(keybag, identity: .owner(), usesAgent: false)
    func key(_ group: String) -> PrimaryKey {
      .genericPassword(service: "menu", account: "eva", group: group)
    }
    for group in [composed, decomposed] {
      try keychain.add(key(group), secret: SecretBytes(utf8: group))
    }
    try run.unlock()
    try run.grant(composed)
    #expect(try run.text(key(composed)).map { Array($0.utf8) } == Array(composed.utf8))
    for claim in [[], [decomposed], [composed, decomposed]] {
      #expect(run.refusal(.get(key(decomposed), groups: claim)) != nil, "\(claim)")
    }
    try run.grant(decomposed)
    #expect(try run.text(key(decomposed)).map { Array($0.utf8) } == Array(decomposed.utf8))
  }
}
