import AtRestCrypto
import AtRestKeychain
import AtRestSimulation
import Foundation
import Testing

@Suite struct RoundTripTests {
  let key = PrimaryKey.genericPassword(service: "mail", account: "eva")

  @Test func whatWasAddedComesBack() throws {
    let device = try SimulatedDevice()
    let keychain = try device.keychain()
    try keychain.add(key, secret: SecretBytes(utf8: "s3cr3t"), attributes: [.label: "Mail"])
    #expect(String(copying: try keychain.secret(for: key)) == "s3cr3t")
    #expect(String(copying: try keychain.secret(for: key)) == "s3cr3t")
    #expect(try keychain.item(for: key).attributes.label == "Mail")
    #expect(throws: AtRestError.self) {
      try keychain.add(key, secret: SecretBytes(utf8: "again"))
    }
    try keychain.update(key, secret: SecretBytes(utf8: "new"))
    #expect(String(copying: try keychain.secret(for: key)) == "new")
    try keychain.delete(key)
    #expect { try keychain.delete(key) } throws: { ($0 as? AtRestError)?.code == .notFound }
  }

  @Test func tenThousandItemsStayApart() throws {
    let device = try SimulatedDevice(passcode: "1234")
    let keychain = try device.keychain()
    try keychain.transaction {
      for number in 0..<30_000 {
        try keychain.add(
          .genericPassword(service: "s", account: "\(number)"),
          secret: SecretBytes(utf8: "secret \(number)"))
      }
    }
    #expect(try keychain.count() == 30_000)
    try device.restart()
    try device.unlock()
    let again = try device.keychain()
    for number in stride(from: 0, to: 30_000, by: 7) {
      let secret = try again.secret(for: .genericPassword(service: "s", account: "\(number)"))
      #expect(String(copying: secret) == "secret \(number)")
    }
    #expect(try again.items(matching: KeychainQuery(.genericPassword, [.account: "17"])).count == 1)
  }
}
