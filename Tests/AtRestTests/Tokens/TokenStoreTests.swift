import AtRest
import Foundation
import Synchronization
import Testing

@Suite struct TokenStoreTests {
  private final class Server: Sendable {
    let log = Mutex<[String]>([])
    let fails = Mutex(false)
    struct Down: Error {}
    func renew(_ token: AuthToken) async throws -> AuthToken {
      let number = log.withLock {
        $0.append("renew \(token.access)")
        return $0.count
      }
      await Task.yield()
      if fails.withLock({ $0 }) { throw Down() }
      return AuthToken(
        access: "a\(number)", refresh: "r", expires: .now + 3600 * Double(number + 1))
    }
    func revoke(_ token: AuthToken) async throws {
      log.withLock { $0.append("revoke \(token.access)") }
      if fails.withLock({ $0 }) { throw Down() }
    }
    var calls: [String] { log.withLock { $0 } }
    var tokens: TokenStore { TokenStore(renew: renew, revoke: revoke) }
  }

  private func token(_ life: TimeInterval?, refresh: String? = "r") -> AuthToken {
    AuthToken(access: "a0", refresh: refresh, expires: life.map { .now + $0 })
  }

  @Test func givesTheTokenBack() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    try await server.tokens.store(token(3600), for: eva)
    #expect(try await server.tokens.token(for: eva).access == "a0")
    #expect(server.calls == [])
  }

  @Test func renewsAnExpiredOneOnceForAllWhoAsk() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    let tokens = server.tokens
    try await tokens.store(token(3600), for: eva)
    test.device.advanceClock(by: 3590)
    let found = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 { group.addTask { try await tokens.token(for: eva).access } }
      return try await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(found == ["a1"])
    #expect(server.calls == ["renew a0"])
  }

  @Test func keepsTheTokenWhereTheRenewalFails() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    let tokens = server.tokens
    try await tokens.store(token(3600), for: eva)
    test.device.advanceClock(by: 4000)
    server.fails.withLock { $0 = true }
    await #expect(throws: Server.Down.self) { try await tokens.token(for: eva) }
    server.fails.withLock { $0 = false }
    #expect(try await tokens.token(for: eva).access == "a2")
  }

  @Test func anExpiredOneThatCannotBeRenewedIsGone() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let tokens = TokenStore()
    try await tokens.store(token(3600, refresh: nil), for: eva)
    test.device.advanceClock(by: 4000)
    await #expect(throws: AtRestError.self) { try await tokens.token(for: eva) }
    #expect(try eva.vault.purge() == 0)
    #expect(try eva.contents.isEmpty)
  }

  @Test func logsOutHereFirst() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    try await server.tokens.store(token(nil), for: eva)
    server.fails.withLock { $0 = true }
    await #expect(throws: Server.Down.self) { try await server.tokens.logOut(eva) }
    #expect(server.calls == ["revoke a0"])
    #expect(try eva.vault.accounts.isEmpty)
  }

  @Test func revokesWhatARenewalBringsAfterTheLogout() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    let tokens = TokenStore(
      renew: { token in
        try await eva.logOut()
        return try await server.renew(token)
      }, revoke: server.revoke)
    try await tokens.store(token(3600), for: eva)
    test.device.advanceClock(by: 4000)
    let error = await #expect(throws: AtRestError.self) { try await tokens.token(for: eva) }
    #expect(error?.code == .loggedOut)
    #expect(server.calls == ["renew a0", "revoke a1"])
    #expect(try eva.vault.accounts.isEmpty)
  }

  @Test func aRenewalDoesNotBringBackWhatWasRevoked() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    let tokens = TokenStore(
      renew: { token in
        try await server.tokens.revoke(for: eva)
        return try await server.renew(token)
      }, revoke: server.revoke)
    try await tokens.store(token(3600), for: eva)
    test.device.advanceClock(by: 4000)
    let error = await #expect(throws: AtRestError.self) { try await tokens.token(for: eva) }
    #expect(error?.code == .notFound)
    #expect(server.calls == ["revoke a0", "renew a0", "revoke a2"])
    #expect(try eva.contents.isEmpty)
  }

  @Test func aRenewalGivesWayToANewLogin() async throws {
    let test = try TestVault()
    let eva = try await test.open().logIn("eva")
    let server = Server()
    let fresh = AuthToken(access: "fresh", refresh: "f", expires: .now + 36_000)
    let tokens = TokenStore(
      renew: { token in
        try await server.tokens.store(fresh, for: eva)
        return try await server.renew(token)
      }, revoke: server.revoke)
    try await tokens.store(token(3600), for: eva)
    test.device.advanceClock(by: 4000)
    #expect(try await tokens.token(for: eva).access == "fresh")
    #expect(try await tokens.token(for: eva).access == "fresh")
    #expect(server.calls == ["renew a0", "revoke a1"])
  }

  @Test func aTokenShowsNothingOfItself() {
    let token = AuthToken(access: "s3cr3t", refresh: "s3cr3t")
    var dumped = ""
    dump(token, to: &dumped)
    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(!text.contains("s3cr3t"))
    }
  }
}
