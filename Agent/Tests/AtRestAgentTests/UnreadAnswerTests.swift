import AtRestCrypto
@_spi(Tools) import AtRestKeybag
@_spi(Tools) import AtRestKeychain
@_spi(Tools) import AtRestTestSupport
import Foundation
import Testing

@testable import AtRestAgent

/// An answer that the agent still has when the store is locked does not reach the client that was too slow to
/// read it.
struct UnreadAnswerTests {
  /// One answer fits into the kernel's buffer of a socket, and two do not. Each is written at once.
  private static let size = 120 << 10

  @Test(arguments: ["request", "announced", "nothing"])
  func whatTheAgentHasIsDropped(_ event: String) throws {
    let run = try AgentRun()
    let key = PrimaryKey.genericPassword(service: "large", account: "eva", group: "mail")
    let keybag = try run.location.openKeybag()
    try keybag.unlock(passcode: SecretBytes(utf8: AgentRun.passcode))
    try Keychain.open(keybag, identity: .owner()).add(
      key, secret: SecretBytes(Data(repeating: 7, count: Self.size)))
    try run.unlock()
    try run.grant("mail")
    let claim = try AgentClaim(store: run.location.store, socket: run.socket)
    run.service.confirmLocks()
    let client = try RawClient(run.socket)
    let get = try AgentRequest.get(key, groups: []).encoded(for: run.service.identity)
    let request = RawClient.frame(Array(Data(copying: get)))
    client.write(request + request)
    // The second answer has begun, and the rest of it is with the agent.
    client.waitForAnswer(of: Self.size + Self.size / 4)
    switch event {
    case "request": try run.connect().send(.lock)
    case "announced":
      #expect(AgentLock.lock(storeIn: run.location.store, patience: .seconds(60)))
    default: break
    }
    #expect(client.answer().map { $0.count > Self.size } == true)
    #expect((client.answer() != nil) == (event == "nothing"))
    withExtendedLifetime(claim) {}
  }
}
