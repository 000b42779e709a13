import AtRestKeychain
import AtRestSimulation
import Foundation
import LocalAuthentication
import Security
import Testing

/// Tests items that are protected by a password from a server or from the application's user.
@Suite struct ApplicationPasswordTests {
  private func knowing(_ password: String) -> Request {
    let context = LAContext()
    context.setCredential(Data(password.utf8), type: LACredentialType.applicationPassword)
    return [kSecUseAuthenticationContext: context]
  }

  private func guarded() throws -> Request {
    [kSecAttrAccessControl: try accessControl(.applicationPassword)]
  }

  @Test func thePasswordOpensTheItemAndNobodyIsAsked() throws {
    try onDevice { device in
      let all = try guarded().merging(knowing("of the server")) { $1 }
      #expect(add(password(all)) == errSecSuccess)
      #expect(value(query(knowing("of the server"))) == "s3cr3t")
      #expect(value(query(all)) == "s3cr3t", "A query may contain the access control.")
      #expect(
        find(query(knowing("of another")).merging([kSecReturnData: true]) { $1 }).status
          == errSecAuthFailed)
      #expect(device.user.prompts.isEmpty)
    }
  }

  @Test func accessibilityAndAccessControlExcludeEachOther() throws {
    try onDevice { _ in
      let all = try guarded().merging(knowing("of the server")) { $1 }
      let accessible: Request = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked]
      #expect(add(password(all.merging(accessible) { $1 })) == errSecParam)
      #expect(exists(query(all)) == errSecItemNotFound)
      #expect(add(password(all)) == errSecSuccess)
    }
  }

  @Test func itProtectsWhereTheDeviceHasNoPasscode() throws {
    let device = try SimulatedDevice()
    try device.run {
      _ = add(password(try guarded().merging(knowing("of the server")) { $1 }))
      #expect(value(query(knowing("of the server"))) == "s3cr3t")
      #expect(value(query(knowing(""))) == nil)
      #expect(value(query()) == nil)
      // Control: anyone with the device can read an item without an application password.
      _ = add(password("adam"))
      #expect(value(query("adam")) == "s3cr3t")
    }
  }

  @Test func withoutCredentialTheUserIsAskedWhenSavingAndWhenReading() throws {
    try onDevice { device in
      device.user.know(applicationPassword: "of the user")
      let item = try guarded()
      #expect(add(password(item)) == errSecSuccess)
      #expect(device.user.prompts.count == 1)
      #expect(value(query()) == "s3cr3t")
      #expect(device.user.prompts.count == 2)
      #expect(value(query(knowing("of the user"))) == "s3cr3t")
      #expect(device.user.prompts.count == 2)
      device.user.know(applicationPassword: "of another")
      #expect(find(query([kSecReturnData: true])).status == errSecAuthFailed)
    }
  }

  /// The item requires biometry, a passcode that is set, and also the password.
  @Test func itGoesWithOtherConstraintsAndReplacesNone() throws {
    try onDevice { device in
      device.enrolBiometry()
      let control = try accessControl(
        [.biometryAny, .applicationPassword], kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly)
      _ = add(
        password([kSecAttrAccessControl: control].merging(knowing("of the server")) { $1 }))
      #expect(device.user.prompts.isEmpty)
      #expect(value(query(knowing("of the server"))) == "s3cr3t")
      #expect(device.user.prompts.count == 1)
      device.user.will(.fail)
      #expect(
        find(query(knowing("of the server")).merging([kSecReturnData: true]) { $1 }).status
          == errSecAuthFailed)
      device.user.will(.comply)
      #expect(
        find(query(knowing("of another")).merging([kSecReturnData: true]) { $1 }).status
          == errSecAuthFailed)
    }
  }
}
