import AtRest
import AtRestSimulation
import Crypto
import Foundation
import Testing

@Suite struct PseudonymTests {
  private static let first = "analytics.example.com"
  private static let second = "crashes.example.com"

  @Test func stableForARecipientAndUnlikeForAnother() throws {
    let keychain = try SimulatedDevice().keychain()
    let pseudonyms = Pseudonyms(in: keychain)
    let eva = try pseudonyms.pseudonym(for: "eva", to: Self.first)
    #expect(eva.wholeMatch(of: /[a-z2-7]{26}/) != nil)
    #expect(try pseudonyms.pseudonym(for: "eva", to: Self.first) == eva)
    #expect(try Pseudonyms(in: keychain).pseudonym(for: Data("eva".utf8), to: Self.first) == eva)
    #expect(try pseudonyms.pseudonym(for: "eva", to: Self.second) != eva)
    #expect(try pseudonyms.pseudonym(for: "ada", to: Self.first) != eva)
    #expect(try Pseudonyms(in: keychain, service: "x").pseudonym(for: "eva", to: Self.first) != eva)
  }

  @Test func anotherDeviceGivesOthers() throws {
    let names = try (0..<2).map { _ in
      try Pseudonyms(in: SimulatedDevice().keychain()).pseudonym(for: "eva", to: Self.first)
    }
    #expect(names[0] != names[1])
  }

  /// Computes a pseudonym independently, as the documentation specifies it.
  @Test func itIsTheCodeThatIsDocumented() throws {
    let keychain = try SimulatedDevice().keychain()
    let pseudonym = try Pseudonyms(in: keychain).pseudonym(for: "eva", to: Self.first)
    let root = try keychain.secret(
      for: .genericPassword(service: "atrest.pseudonyms", account: Self.first))
    let label = Data("atrest.pseudonym.v1".utf8)
    let key = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: Data(copying: root)),
      info: Data([0, 0, 0, UInt8(label.count)]) + label + Data(Self.first.utf8),
      outputByteCount: 32)
    let code = HMAC<SHA256>.authenticationCode(for: Data("eva".utf8), using: key)
    let bits =
      Data(code).prefix(16).map { byte in
        let digits = String(byte, radix: 2)
        return String(repeating: "0", count: 8 - digits.count) + digits
      }.joined() + "00"
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567")
    let expected = stride(from: 0, to: 130, by: 5).map { start in
      alphabet[Int(String(Array(bits)[start..<start + 5]), radix: 2)!]
    }
    #expect(pseudonym == String(expected))
  }

  @Test func rotatedAndForgottenForOneRecipientAlone() throws {
    let keychain = try SimulatedDevice().keychain()
    let pseudonyms = Pseudonyms(in: keychain)
    func names() throws -> [String] {
      try [Self.first, Self.second].map { try pseudonyms.pseudonym(for: "eva", to: $0) }
    }
    let before = try names()
    try pseudonyms.rotate(for: Self.first)
    let rotated = try names()
    #expect(rotated[0] != before[0] && rotated[1] == before[1])
    try pseudonyms.forget(Self.second)
    try pseudonyms.forget(Self.second)
    #expect(try keychain.count() == 1)
    let forgotten = try names()
    #expect(forgotten[0] == rotated[0] && forgotten[1] != rotated[1])
    try pseudonyms.forgetAll()
    #expect(try keychain.count() == 0)
  }

  @Test func aLockedKeyIsNotReplaced() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let pseudonyms = Pseudonyms(
      in: try device.keychain(), protection: .accessible(.whenUnlockedThisDeviceOnly))
    let eva = try pseudonyms.pseudonym(for: "eva", to: Self.first)
    device.lock()
    let whileLocked = Result { try pseudonyms.pseudonym(for: "eva", to: Self.first) }
    #expect(throws: AtRestError.self) { try whileLocked.get() }
    if case .failure(let error) = whileLocked { #expect((error as? AtRestError)?.code == .locked) }
    try device.unlock()
    #expect(try pseudonyms.pseudonym(for: "eva", to: Self.first) == eva)
  }

  @Test func asynchronously() async throws {
    let pseudonyms = Pseudonyms(in: try SimulatedDevice().keychain())
    let eva = try await pseudonyms.background { try $0.pseudonym(for: "eva", to: Self.first) }
    #expect(try pseudonyms.pseudonym(for: Data("eva".utf8), to: Self.first) == eva)
    try await pseudonyms.background { try $0.rotate(for: Self.first) }
    #expect(try await pseudonyms.background { try $0.pseudonym(for: "eva", to: Self.first) } != eva)
    try await pseudonyms.background { try $0.forget(Self.first) }
  }
}
