import AtRestCrypto

extension TPMRefusal {
  /// The error for a refusal that has the same meaning after every command. Operations handle the
  /// others, such as a wrong authorization value, themselves.
  ///
  /// - Parameter tpm: The TPM that refused.
  func error(on tpm: TPM) -> AtRestError {
    if isSilent {
      return AtRestError(
        .busy, "The TPM (\(tpm.transport)) did not answer for \(tpm.silence.seconds).",
        remedy:
          "Find out what holds it up, and try again. The last change to the TPM may or may not "
          + "have been made.", cause: self)
    }
    if isTemporary {
      return AtRestError(
        .busy, "The TPM was busy for too long.",
        remedy: "Try again in a minute. Nothing was modified.", cause: self)
    }
    if isOutOfMemory {
      return AtRestError(
        .busy, "The TPM's memory is full of objects that other programs loaded.",
        remedy: "Use the resource manager, /dev/tpmrm0, or end the other program.", cause: self)
    }
    if isOutOfOrder {
      return AtRestError(
        .deviceUnavailable, "The TPM is not started, or its self-test failed.",
        remedy: "Restart the machine. If this does not help, the TPM is broken.", cause: self)
    }
    if isForged {
      return AtRestError(
        .otherDevice, "The TPM's answer was modified on its way.",
        remedy: "Something between this program and the TPM changes what they send. Do not go on.",
        cause: self)
    }
    if isLost {
      return AtRestError(
        .deviceUnavailable,
        "The connection to the TPM (\(tpm.transport)) broke in the middle of a call.",
        remedy: "Try again. The last change to the TPM may or may not have been made.", cause: self)
    }
    return AtRestError(
      .system, "The TPM, or its library, refused the command \(command).",
      remedy: "The cause has the reason.", cause: self)
  }
}

extension AtRestError {
  static func wrongAuthorization(_ refusal: TPMRefusal) -> AtRestError {
    AtRestError(
      .authenticationFailed, "The TPM did not accept the authorization value.",
      remedy: "Try again with the right one. The TPM counts wrong attempts.", cause: refusal)
  }

  /// The owner hierarchy has a password, and none was given.
  static func ownerAuthorization(_ refusal: TPMRefusal) -> AtRestError {
    AtRestError(
      .notPermitted, "The administrator set a password for the TPM's owner hierarchy.",
      remedy:
        "Give it (--tpm-owner-password-file), or ask the administrator to make the storage key "
        + "0x81000001 persistent, with which a store opens without the password.", cause: refusal)
  }

  static var otherPrimary: AtRestError {
    AtRestError(
      .otherDevice,
      "This is another TPM than the data was made with, or the TPM was cleared, or something "
        + "between this program and the TPM answers in its place.",
      remedy: "Use the machine that the data was made on, or restore a backup.")
  }
}

extension Duration {
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1000 + attoseconds / 1_000_000_000_000_000
  }

  /// The time in words: "30 seconds".
  var seconds: String {
    milliseconds % 1000 == 0 ? "\(components.seconds) seconds" : "\(milliseconds) milliseconds"
  }
}
