import AtRestCrypto
import AtRestKeychain

/// The user at the terminal, who is asked for what an item's access control requires.
///
/// The passcode with which this command unlocked the store is reused.
struct TerminalUser: Authenticator {
  let passcode: SecretBox?

  var biometry: BiometryState { .unavailable }

  func passcode(for request: AuthenticationRequest) throws -> SecretBytes {
    if let passcode { return passcode.bytes.duplicate() }
    return try Terminal.passcode("\(request.reason): passcode")
  }

  func matchesBiometry(for request: AuthenticationRequest) throws -> Bool { false }

  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    try Terminal.secret("\(request.reason): the item's application password")
  }
}
