@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent
@testable import AtRestCrypto

/// A wipe of the store ends the agent's service: it has no keys any more, and says so.
struct WipeTests {
  private static let unread = PrimaryKey.genericPassword(
    service: "bank", account: "eva", group: "bank")

  /// An unlocked agent whose client has read one item.
  private func run() throws -> AgentRun {
    let run = try AgentRun()
    try run.unlock()
    try run.grant("mail", "bank", AgentGrant.filesGroup, mayWrite: true)
    #expect(try run.text(AgentRun.mail) == "mail secret")
    return run
  }

  private func wipe(_ run: AgentRun) throws { try run.location.openKeybag().wipe() }

  private func status(_ run: AgentRun) throws -> AgentStatus {
    try run.connect().document(.status)
  }

  @Test func everyRequestEndsWithWiped() throws {
    let run = try run()
    let connection = try run.connect()
    try wipe(run)
    for request in [
      AgentRequest.get(AgentRun.mail, groups: []), .get(Self.unread, groups: []),
      .set(
        .genericPassword(service: "mail", account: "new", group: "mail"),
        secret: AgentRun.secret("x"), accessible: .whenUnlocked, groups: []),
      .delete(AgentRun.mail, groups: []),
      .unlock(passcode: AgentRun.secret(AgentRun.passcode)), .grants,
      .addGrant(
        AgentGrant(AgentEvidence(.user, "1"), groups: ["a"], mayWrite: false),
        passcode: AgentRun.secret(AgentRun.passcode)),
    ] {
      #expect(run.refusal(request) == .wiped, "\(request.operation)")
    }
    #expect {
      _ = try run.text(AgentRun.mail, over: connection)
    } throws: { ($0 as? AtRestError)?.code == .wiped }
    let status = try status(run)
    #expect(status.isWiped && !status.isUnlocked && status.state == "wiped")
    let names = try? FileManager.default.contentsOfDirectory(atPath: run.location.store.path)
    #expect(!(names ?? []).contains("keychain.db"))
  }

  /// What began before a wipe ends as wiped, and what began before a lock as locked.
  @Test func aWipeIsNeverCalledALock() throws {
    let (locked, wiped) = (try AgentRun(), try run())
    try locked.unlock()
    for (run, code) in [(locked, AtRestError.Code.locked), (wiped, .wiped)] {
      let before = run.service.locks
      if code == .wiped { try wipe(run) } else { try run.connect().send(.lock) }
      #expect(eventually { run.service.locks != before })
      let refusal = #expect(throws: AtRestError.self) {
        try run.service.checkNoLock(since: before)
      }
      #expect(refusal?.code == code)
    }
  }

  /// Control: the agent goes on when another store of the same device is wiped.
  @Test func aWipeOfAnotherStoreChangesNothing() throws {
    let run = try run()
    try Keybag.create(
      at: run.folder.appendingPathComponent("other"), device: run.location.makeDevice(),
      options: .init(kdf: .forTesting)
    ).wipe()
    #expect(try run.text(AgentRun.mail) == "mail secret")
    #expect(try run.text(Self.unread) == "bank secret")
    let status = try status(run)
    #expect(!status.isWiped && status.isUnlocked)
  }

  @Test func theStateIsLostWithoutARequest() throws {
    let run = try run()
    #expect(run.service.isUnlocked)
    try wipe(run)
    #expect(eventually { !run.service.isUnlocked })
  }

  @Test func aChangeOfThePasscodeLocksTheAgent() throws {
    let run = try run()
    try run.location.openKeybag().changePasscode(
      from: SecretBytes(utf8: AgentRun.passcode), to: SecretBytes(utf8: "another passcode"))
    #expect(run.refusal(.get(AgentRun.mail, groups: [])) == .locked)
    #expect(try !status(run).isUnlocked)
    #expect(
      run.refusal(.unlock(passcode: AgentRun.secret(AgentRun.passcode))) == .authenticationFailed)
    try run.connect().send(.unlock(passcode: AgentRun.secret("another passcode")))
    #expect(try run.text(AgentRun.mail) == "mail secret")
  }

  /// The keys that `ssh-add` gave are erased as well, also when another process locks the store.
  @Test(arguments: [true, false])
  func keysInMemoryAreErased(_ isWipe: Bool) throws {
    let run = try run()
    let key = try #require(SSHPublicKey(try PrivateKey.generate(.ed25519).publicKey))
    _ = run.service.memoryKeys.add(
      SSHMemoryKeys.Key(
        publicKey: key, blob: key.blob, comment: "", secret: AgentRun.secret("seed"), end: nil,
        needsConfirmation: false, destinations: []))
    #expect(run.service.memoryKeys.all().count == 1)
    if isWipe { try wipe(run) } else { try run.location.openKeybag().lockEverywhere() }
    #expect(eventually { run.service.memoryKeys.all().isEmpty })
  }

  /// A wiped store has no keys for SSH either, not even public ones.
  @Test func noKeyIsListedForSSH() throws {
    let ssh = try SSHRun([("a", .ed25519)])
    try ssh.run.unlock()
    let connection = SSHConnection(ssh.run.service)
    #expect(try connection.count() == 1)
    try wipe(ssh.run)
    #expect(connection.answer(Data([11])) == [5])
    let entries: [AgentLogEntry] = try ssh.run.connect().document(.log(count: 1))
    #expect(entries.map { "\($0.operation) \($0.answer)" } == ["ssh-list wiped"])
  }

  /// The agent of a wiped store is not found by the programs of a new store in the same folder, and does
  /// not keep a new agent from serving it.
  @Test func aNewStoreInTheFolderIsNotItsOwn() throws {
    let run = try run()
    let program = try AgentProgram(run.location, in: run.folder)
    #expect(AgentPlace.socket(ofStore: run.location.store) == program.socket)
    try wipe(run)
    // The state can still be asked for.
    #expect(AgentPlace.socket(ofStore: run.location.store) == program.socket)
    #expect(try program.connect().document(.status, as: AgentStatus.self).isWiped)
    let new = try Keybag.create(
      at: run.location.store, device: run.location.makeDevice(), options: .init(kdf: .forTesting))
    #expect(AgentPlace.socket(ofStore: run.location.store) == nil)
    let keychain = try Keychain.open(new, identity: ApplicationIdentity("mail"))
    let key = PrimaryKey.genericPassword(service: "mail", account: "new")
    try keychain.add(key, secret: SecretBytes(utf8: "new secret"))
    #expect(String(copying: try keychain.secret(for: key)) == "new secret")
    // Its own agent serves it, and the end of the former agent changes nothing.
    let folder = run.folder.appendingPathComponent("new")
    let next = try AgentProgram(run.location, in: folder)
    #expect(AgentPlace.socket(ofStore: run.location.store) == next.socket)
    program.kill()
    #expect(AgentPlace.socket(ofStore: run.location.store) == next.socket)
  }
}
