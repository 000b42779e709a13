import AtRestKeychain
import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests items that require a finger or the passcode.
@Suite struct UserPresenceTests {
  private func guarded() throws -> Request {
    [
      kSecAttrAccessControl: try accessControl(
        .userPresence, kSecAttrAccessibleWhenUnlockedThisDeviceOnly)
    ]
  }
  private let reason: Request = [kSecUseOperationPrompt: "Open your letters"]

  @Test func savingAsksNobodyAndReadingAsksWithTheReason() throws {
    try onDevice { device in
      let item = try guarded()
      #expect(add(password(item)) == errSecSuccess)
      #expect(device.user.prompts.isEmpty)
      #expect(value(query(reason)) == "s3cr3t")
      #expect(device.user.prompts == [.passcode(reason: "Open your letters")])
    }
  }

  @Test func biometryComesFirstAndThePasscodeWhereTheUserPrefersIt() throws {
    try onDevice { device in
      device.enrolBiometry()
      _ = add(password(try guarded()))
      #expect(value(query(reason)) == "s3cr3t")
      #expect(device.user.prompts == [.biometry(reason: "Open your letters")])
      device.user.forgetPrompts()
      device.user.will(.fallBack, .comply)
      #expect(value(query(reason)) == "s3cr3t")
      #expect(
        device.user.prompts == [
          .biometry(reason: "Open your letters"), .passcode(reason: "Open your letters"),
        ])
    }
  }

  @Test func withoutPasscodeEveryRequestFails() throws {
    try onDevice { device in
      device.enrolBiometry()
      let item = try guarded()
      _ = add(password(item))
      try device.removePasscode()
      #expect(find(query([kSecReturnData: true])).status == errSecAuthFailed)
      #expect(add(password("adam", item)) == errSecAuthFailed)
      // Control: an item without the constraint can be read.
      #expect(add(password("adam")) == errSecSuccess)
      #expect(value(query("adam")) == "s3cr3t")
      try device.setPasscode("5678")
      #expect(value(query()) == "s3cr3t")
    }
  }

  @Test func accessibilityAndAccessControlExcludeEachOther() throws {
    try onDevice { _ in
      let both = try guarded().merging([kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]) { $1 }
      #expect(add(password(both)) == errSecParam)
      #expect(exists(query()) == errSecItemNotFound)
    }
  }

  /// Reading blocks until the user has answered, so applications read on another thread.
  @Test func itIsReadOnAQueue() async {
    await #expect(processExitsWith: .success) {
      let device = try SimulatedDevice(passcode: "1234")
      device.useForProcess()
      let control = try accessControl(.userPresence)
      #expect(add(password([kSecAttrAccessControl: control])) == errSecSuccess)
      let read: String? = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let found = value(query([kSecUseOperationPrompt: "Open your letters"]))
          DispatchQueue.main.async { continuation.resume(returning: found) }
        }
      }
      #expect(read == "s3cr3t")
      #expect(device.user.prompts == [.passcode(reason: "Open your letters")])
    }
  }
}
