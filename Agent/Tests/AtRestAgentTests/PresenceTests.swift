import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The agent asks its user for the proof that an item requires.
struct PresenceTests {
  private static let guarded = PrimaryKey.genericPassword(
    service: "guarded", account: "eva", group: "mail")

  /// An agent with a guarded item, and the keychain of a process that has not unlocked the store.
  private struct Client {
    let run: AgentRun
    let claim: AgentClaim
    let keychain: Keychain

    init(
      asks: Bool = true, _ control: AccessControl = AccessControl(.whenUnlocked, .userPresence)
    ) throws {
      run = try AgentRun(asks: asks)
      claim = try AgentClaim(store: run.location.store, socket: run.socket)
      try run.unlock()
      try run.grant("mail", mayWrite: true)
      try run.asker.set("passcode", AgentRun.passcode + "\n")
      keychain = try Keychain.open(
        run.location.openKeybag(), identity: ApplicationIdentity("mail"))
      try keychain.add(
        PresenceTests.guarded, secret: SecretBytes(utf8: "guarded"),
        protection: .controlled(control))
    }

    func code(_ context: AuthenticationContext? = nil) -> AtRestError.Code? {
      do {
        _ = try keychain.secret(for: PresenceTests.guarded, context: context)
        return nil
      } catch { return (error as? AtRestError)?.code }
    }
  }

  @Test func thePasscodeIsTheProof() throws {
    let client = try Client()
    let context = AuthenticationContext(reason: "Pay the\ninvoice")
    let secret = try client.keychain.secret(for: Self.guarded, context: context)
    #expect(String(copying: secret) == "guarded")
    let question = try #require(client.run.asker.questions.first)
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    for part in [
      "\"\(program)\" asks to read the item with account \"eva\", service \"guarded\", "
        + "access group \"mail\".",
      "\(program)\"", "\nEvidence: ", "\nIts own reason: \"Pay the\\u{a}invoice\"\n",
      "Passcode of the store:",
    ] {
      #expect(question.contains(part), "\(question)")
    }
    // A proof is for one request.
    #expect(client.code(context) == nil)
    #expect(client.run.asker.questions.count == 2)
    // Control: an item without access control asks nothing.
    #expect(try client.run.text(AgentRun.mail) == "mail secret")
    #expect(client.run.asker.questions.count == 2)
  }

  @Test func aWrongPasscodeIsNoProof() throws {
    let client = try Client()
    try client.run.asker.set("passcode", "wrong\n")
    #expect(client.code() == .authenticationFailed)
  }

  @Test func aDismissedQuestionIsACancel() throws {
    let client = try Client()
    client.run.asker.clear("passcode")
    #expect(client.code() == .canceled)
  }

  @Test func theCallerCanForbidTheQuestion() throws {
    let client = try Client()
    #expect(client.code(AuthenticationContext(interaction: .forbidden)) == .interactionNotAllowed)
    let items = try client.keychain.items(
      matching: KeychainQuery(.genericPassword), secrets: true,
      context: AuthenticationContext(interaction: .skip))
    #expect(items.count == 1 && items.withheld.count == 1)
    #expect(client.run.asker.questions.isEmpty)
  }

  @Test func anAgentWithoutAQuestionerRefuses() throws {
    #expect(try Client(asks: false).code() == .interactionNotAllowed)
  }

  /// Requests to an agent that asks nobody are answered by the thread of all connections, so they must
  /// not wait for the confirmation of a key for SSH.
  @Test func nobodyIsAskedWithoutWaiting() throws {
    let run = try AgentRun()
    try run.asker.set("wait")
    let asker = Prompt.program(run.asker.path)
    let questioner = Questioner(.never, patience: .seconds(120))
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      try? questioner.confirm("Sign?", by: asker)
      ended.signal()
    }
    #expect(eventually { run.asker.questions.count == 1 })
    do {
      _ = try questioner.secret("Passcode?")
      Issue.record("Somebody answered.")
    } catch let error as AtRestError {
      #expect(error.code == .interactionNotAllowed)
    }
    // Control: the confirmation was still open.
    #expect(ended.wait(timeout: .now()) == .timedOut)
    run.asker.clear("wait")
    #expect(ended.wait(timeout: .now() + 120) == .success)
  }

  @Test func thereIsNoBiometry() throws {
    do {
      _ = try Client(AccessControl(.whenUnlocked, .biometry(.any)))
      Issue.record("An item was added that nobody can read.")
    } catch let error as AtRestError {
      #expect(error.code == .notPermitted)
    }
    // Control: the passcode can replace biometry.
    let client = try Client(AccessControl(.whenUnlocked, .devicePasscodeOr(.any)))
    #expect(client.code() == nil)
  }

  @Test func anApplicationPasswordIsAskedFor() throws {
    let client = try Client()
    let key = PrimaryKey.genericPassword(service: "app", account: "eva")
    let context = AuthenticationContext(applicationPassword: SecretBytes(utf8: "right"))
    try client.keychain.add(
      key, secret: SecretBytes(utf8: "two"),
      protection: .controlled(.applicationPassword(.whenUnlocked)), context: context)
    try client.run.asker.set("passcode", "right\n")
    #expect(String(copying: try client.keychain.secret(for: key)) == "two")
    #expect(client.run.asker.questions.last?.contains("Application password of the item:") == true)
    try client.run.asker.set("passcode", "wrong\n")
    #expect(throws: AtRestError.self) { _ = try client.keychain.secret(for: key) }
  }
}
