import AtRest
import Bank
import Foundation
import Testing

@Suite struct LogoutTests {
  @Test func leavesNothing() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    _ = try await eva.statements()
    try await eva.logOut()
    #expect(try phone.bank().customer == nil)
    #expect(await phone.server.revoked.count == 1)
    let left = FileManager.default.enumerator(atPath: phone.folder.path)?.allObjects as? [String]
    #expect(left?.filter { $0.hasPrefix("values/") } == [])
    await expect(.loggedOut) { try eva.addCard(visa, validUntil: "2029-04") }
    await expect(.loggedOut) { _ = try await eva.statements() }
  }

  @Test func isPossibleWhileLocked() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    phone.device.lock()
    try await eva.logOut()
    try phone.device.unlock()
    #expect(try phone.bank().customer == nil)
  }

  @Test func anotherCustomerFindsNothing() async throws {
    let phone = try Phone()
    let eva = try await phone.eva()
    let ada = try await phone.bank().logIn("ada", password: SecretBytes(utf8: password))
    #expect(try ada.cards() == [])
    await expect(.loggedOut) { _ = try eva.card(ending: "5556") }
  }
}
