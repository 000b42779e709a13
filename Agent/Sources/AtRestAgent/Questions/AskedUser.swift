import AtRestCrypto
@_spi(Tools) import AtRestKeychain

/// The agent's user, who is asked for what an item's access control requires.
struct AskedUser: Authenticator {
  let questioner: Questioner

  var biometry: BiometryState { .unavailable }

  func passcode(for request: AuthenticationRequest) throws -> SecretBytes {
    try questioner.secret("\(request.reason)\nPasscode of the store:")
  }

  func matchesBiometry(for request: AuthenticationRequest) throws -> Bool { false }

  func applicationPassword(for request: AuthenticationRequest) throws -> SecretBytes {
    try questioner.secret("\(request.reason)\nApplication password of the item:")
  }
}
