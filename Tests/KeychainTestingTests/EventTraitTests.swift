import AtRestKeychain
import KeychainTesting
import Security
import Testing

/// Tests that each trait stages the event of its name, on a phone on which a token was saved before.
@Suite(.given { try Token.save() }) struct EventTraitTests {
  // Control: without an event the token is readable.
  @Test func nothingHappens() throws {
    #expect(Token.read() == errSecSuccess)
    let phone = try SimulatedDevice.current
    #expect(phone.keybag.lockState == .unlocked && phone.keybag.hasPasscode)
    #expect(phone.user.biometry != .unavailable)
  }

  @Test(.lockedPhone) func isLocked() throws {
    #expect(Token.read() == errSecInteractionNotAllowed)
    #expect(try SimulatedDevice.current.keybag.lockState == .locked)
  }

  @Test(.beforeFirstUnlock) func isRestarted() throws {
    #expect(Token.read() == errSecInteractionNotAllowed)
    #expect(try SimulatedDevice.current.keybag.lockState == .beforeFirstUnlock)
  }

  @Test(.nobodyEnrolled) func hasNoFinger() throws {
    #expect(try SimulatedDevice.current.user.biometry == .unavailable)
    #expect(try SimulatedDevice.current.keybag.hasPasscode)
  }

  @Test(.biometryLockedOut) func isLockedOut() throws {
    #expect(try SimulatedDevice.current.isBiometryLockedOut)
    #expect(Token.read() == errSecSuccess)
  }

  @Test(.passcodeRemoved) func hasNoPasscode() throws {
    #expect(try !SimulatedDevice.current.keybag.hasPasscode)
    #expect(try SimulatedDevice.current.user.biometry == .unavailable)
  }

  @Test(.reinstalled) func keepsItsItems() {
    #expect(Token.read() == errSecSuccess)
  }

  @Test(.restored) func comesBackFromItsBackup() throws {
    #expect(Token.read() == errSecSuccess)
    #expect(try SimulatedDevice.current.user.biometry != .unavailable)
  }

  @Test(.restoredElsewhere) func comesToAnotherPhone() throws {
    #expect(Token.read() == errSecSuccess)
    #expect(try SimulatedDevice.current.keybag.hasPasscode)
  }

  @Test(.after(.locked)) func anEventByItsCase() {
    #expect(Token.read() == errSecInteractionNotAllowed)
  }
}

/// Tests the events that only an item under access control notices.
@Suite(.given { try Token.saveForThisFinger() }) struct EnrolmentTraitTests {
  // Control: the finger that was enrolled opens the token.
  @Test func theSameFinger() { #expect(Token.read() == errSecSuccess) }

  @Test(.reenrolled) func anotherFinger() { #expect(Token.read() == errSecAuthFailed) }

  @Test(.restoredElsewhere) func anotherPhone() { #expect(Token.read() == errSecItemNotFound) }

  @Test(.user(.cancel)) func aUserWhoDismissesThePrompt() throws {
    #expect(Token.read() == errSecUserCanceled)
    #expect(try SimulatedDevice.current.user.prompts.count == 1)
  }

  @Test(.user(.fail, .comply)) func aUserWhoTriesTwice() throws {
    #expect(Token.read() == errSecAuthFailed)
    #expect(Token.read() == errSecSuccess)
    #expect(try SimulatedDevice.current.user.prompts.count == 2)
  }
}
