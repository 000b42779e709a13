import AtRestCrypto
import AtRestKeybag
import AtRestKeychain
import Foundation

extension Vault {
  /// Tells the user that the store has no passcode, or refuses, before a value is stored.
  ///
  /// - Throws: ``AtRestError/Code/passcodeNotSet``.
  func checkPasscode() throws {
    guard !keychain.keybag.hasPasscode else { return }
    guard options.missingPasscode == .tell else {
      throw AtRestError(
        .passcodeNotSet,
        "The store has no passcode, and the vault stores no values or keys without one.",
        remedy: "Set a passcode: atrest passcode set, or Keybag.setPasscode.")
    }
    // The device is asked once an hour, because reading its memory takes as long as storing a value.
    guard isPasscodeNoticeDue(), let risk = keychain.keybag.passcodeNotice(at: keychain.now) else {
      return
    }
    guard let tell = options.onMissingPasscode else {
      Keychain.logger.warning("\(risk.message) \(risk.remedy)")
      return
    }
    tell(risk)
  }
}
