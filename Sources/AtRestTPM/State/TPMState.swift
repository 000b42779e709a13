import AtRestCrypto
import Foundation

/// A TPM's maker, version, and protection against dictionary attacks.
///
/// The TPM's answer is not authenticated, so that it can be read without any key: nothing may be
/// decided on it except words for the user. Source: TPM 2.0 Library, part 2, section 6.13
/// (TPM_PT), and part 1, section 19.8 (dictionary attack).
package struct TPMState: Sendable, Equatable {
  /// The maker's four letters, such as `IBM` or `INTC`.
  package let manufacturer: String
  /// The maker's name of the product, which may be empty.
  package let vendor: String
  /// The firmware's version, whose form is the maker's choice.
  package let firmware: String
  /// True if the lockout hierarchy has an authorization value. Without it, every user of the TPM may
  /// reset the count of wrong attempts.
  package let isLockoutAuthorizationSet: Bool
  /// True if the owner hierarchy has an authorization value.
  package let isOwnerAuthorizationSet: Bool
  /// True if authorization values are refused, right ones too.
  package let isLockedOut: Bool
  /// The number of wrong attempts that count at present. A TPM that loses its power after a protected
  /// authorization value was used, without an orderly shutdown, counts that too.
  package let wrongAttempts: Int
  /// The number of wrong attempts after which the TPM is locked out.
  package let maximumWrongAttempts: Int
  /// The time in seconds after which one wrong attempt is forgiven. With 0, the TPM does not count.
  package let secondsPerAttempt: Int
  /// The time in seconds after which a wrong authorization of the lockout hierarchy may be repeated.
  /// With 0, the machine must be restarted.
  package let secondsOfLockoutRecovery: Int

  /// The longest time in seconds until the next attempt is allowed, or 0 if one is allowed now. The
  /// TPM does not say how much of it has passed.
  package var secondsUntilAttempt: Int {
    guard isLockedOut else { return 0 }
    return max(1, wrongAttempts - maximumWrongAttempts + 1) * secondsPerAttempt
  }

  /// The error for an attempt during the lockout.
  func lockoutError(cause: TPMRefusal, now: Date = Date()) -> AtRestError {
    let seconds = max(secondsUntilAttempt, secondsPerAttempt)
    let time = (now + TimeInterval(seconds)).formatted(.iso8601)
    return AtRestError(
      .throttled,
      "The TPM is locked out: it counts \(wrongAttempts) wrong authorization values or sudden stops, "
        + "such as power cuts. The next attempt is allowed at \(time), in \(seconds) seconds, or "
        + "earlier.",
      remedy:
        "Wait, and try again. Shut the machine down properly: a power cut after an unlock counts "
        + "as a wrong passcode.", cause: cause)
  }
}
