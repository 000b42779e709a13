import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests passwords of accounts on a server.
@Suite struct InternetPasswordTests {
  private func item(_ more: Request) -> Request {
    [
      kSecClass: kSecClassInternetPassword, kSecAttrAccount: "eva",
      kSecAttrServer: "mail.example.com",
    ].merging(more) { $1 }
  }
  private let secret: Request = [kSecValueData: Data("s3cr3t".utf8)]

  @Test func theDefaultAccessibilityIsWhenUnlocked() throws {
    try onDevice { device in
      _ = add(item(secret))
      let said: Request = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
      #expect(value(item(said)) == "s3cr3t")
      #expect(add(item(secret.merging(said) { $1 })) == errSecDuplicateItem)
      device.lock()
      #expect(find(item([kSecReturnData: true])).status == errSecInteractionNotAllowed)
    }
  }

  @Test func aValueOfTextIsRefusedAndNothingIsAdded() throws {
    try onDevice { _ in
      let said: Request = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
      #expect(add(item(said.merging([kSecValueData: "s3cr3t"]) { $1 })) == errSecParam)
      #expect(exists(item([:])) == errSecItemNotFound)
      #expect(add(item(said.merging(secret) { $1 })) == errSecSuccess)
    }
  }

  @Test func withUserPresenceReadingAsks() throws {
    try onDevice { device in
      let control: Request = [kSecAttrAccessControl: try accessControl(.userPresence)]
      #expect(add(item(secret.merging(control) { $1 })) == errSecSuccess)
      #expect(device.user.prompts.isEmpty)
      #expect(value(item([kSecUseOperationPrompt: "Open your letters"])) == "s3cr3t")
      #expect(device.user.prompts == [.passcode(reason: "Open your letters")])
    }
  }

  @Test func withBiometryAndPasswordBothAreAskedForAndThePasswordAlsoWhenSaving() throws {
    try onDevice { device in
      device.enrolBiometry()
      device.user.know(applicationPassword: "open sesame")
      let control: Request = [
        kSecAttrAccessControl: try accessControl(
          [.biometryAny, .applicationPassword], kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
      ]
      #expect(add(item(secret.merging(control) { $1 })) == errSecSuccess)
      #expect(device.user.prompts == [.applicationPassword(reason: device.user.prompts[0].reason)])
      device.user.forgetPrompts()
      #expect(value(item([kSecUseOperationPrompt: "Pay"])) == "s3cr3t")
      #expect(
        Set(device.user.prompts) == [.biometry(reason: "Pay"), .applicationPassword(reason: "Pay")])
      device.user.know(applicationPassword: "open barley")
      #expect(find(item([kSecReturnData: true])).status == errSecAuthFailed)
      try device.removePasscode()
      #expect(exists(item([:])) == errSecItemNotFound, "The item was deleted with the passcode.")
    }
  }

  @Test func ofBiometryOrPasscodeOneIsEnough() throws {
    try onDevice { device in
      device.enrolBiometry()
      for (server, flags) in [
        ("either", [.biometryAny, .devicePasscode, .or]),
        ("both", [.biometryAny, .devicePasscode, .and]),
      ] as [(String, SecAccessControlCreateFlags)] {
        let more: Request = [
          kSecAttrServer: server, kSecAttrAccessControl: try accessControl(flags),
        ]
        #expect(add(item(secret.merging(more) { $1 })) == errSecSuccess)
      }
      let reason: Request = [kSecUseOperationPrompt: "Pay"]
      #expect(value(item([kSecAttrServer: "either"].merging(reason) { $1 })) == "s3cr3t")
      #expect(device.user.prompts == [.biometry(reason: "Pay")])
      device.user.forgetPrompts()
      #expect(value(item([kSecAttrServer: "both"].merging(reason) { $1 })) == "s3cr3t")
      #expect(device.user.prompts.count == 2)
      device.forgetBiometry()
      #expect(value(item([kSecAttrServer: "either"].merging(reason) { $1 })) == "s3cr3t")
      #expect(value(item([kSecAttrServer: "both"].merging(reason) { $1 })) == nil)
    }
  }
}

extension ScriptedUser.Prompt {
  fileprivate var reason: String {
    switch self {
    case .passcode(let reason), .biometry(let reason), .applicationPassword(let reason): reason
    }
  }
}
