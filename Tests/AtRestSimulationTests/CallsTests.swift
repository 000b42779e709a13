import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests the log of an application's calls of Keychain Services.
@Suite struct CallsTests {
  private let query: [CFString: Any] = [
    kSecClass: kSecClassGenericPassword, kSecAttrService: "mail",
  ]

  private func signIn() -> OSStatus {
    SecItemAdd(
      query.merging([kSecValueData: Data("s3cr3t".utf8)]) { $1 } as CFDictionary, nil)
  }
  private func isSignedIn() -> Bool {
    SecItemCopyMatching(query as CFDictionary, nil) == errSecSuccess
  }

  @Test func everyCallIsThereWithItsStatusAndWithoutTheSecret() throws {
    let device = try SimulatedDevice()
    device.run {
      #expect(signIn() == errSecSuccess)
      #expect(signIn() == errSecDuplicateItem)
      #expect(isSignedIn())
    }
    #expect(
      device.calls.map(\.function) == ["SecItemAdd", "SecItemAdd", "SecItemCopyMatching"])
    #expect(device.calls.map(\.status) == [0, -25299, 0])
    #expect(device.calls.first?.query["v_Data"] == "(6 bytes)")
    #expect(device.calls.first?.query["svce"] == "mail")
    #expect(!device.calls.contains { "\($0)".contains("s3cr3t") })
  }

  @Test func anExtensionThatSharesAGroupSeesTheItem() throws {
    let device = try SimulatedDevice()
    let app = ApplicationIdentity("app", keychainAccessGroups: ["team.shared"])
    let widget = ApplicationIdentity("app.widget", keychainAccessGroups: ["team.shared"])
    #expect(device.run(as: app) { signIn() } == errSecSuccess)
    #expect(device.run(as: widget) { isSignedIn() })
    #expect(!device.run(as: ApplicationIdentity("stranger")) { isSignedIn() })
    let named = query.merging([kSecAttrAccessGroup: "team.shared"]) { $1 }
    let status = device.run(as: ApplicationIdentity("stranger")) {
      SecItemCopyMatching(named as CFDictionary, nil)
    }
    #expect(status == errSecMissingEntitlement)
  }
}
