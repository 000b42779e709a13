import AtRestCrypto
import AtRestTPM

/// A TPM's description of itself, for display. It is not authenticated: decide nothing on it.
package struct TPMDescription: Hashable, Sendable, Codable {
  /// The maker's four letters, such as `INTC`.
  package let manufacturer: String
  /// The maker's name of the product, which may be empty.
  package let vendor: String
  /// The firmware's version, in a form of the maker's choice.
  package let firmware: String
  /// The number of wrong authorization values that count at present.
  package let wrongAttempts: Int
  /// The number of wrong ones after which the TPM is locked out.
  package let maximumWrongAttempts: Int
  /// The time in seconds after which one is forgiven.
  package let secondsPerAttempt: Int
  /// True if the TPM accepts no authorization value at present.
  package let isLockedOut: Bool
  /// The longest time in seconds until it accepts one again.
  package let secondsUntilAttempt: Int

  /// Asks the TPM that `ATREST_TPM` names, or the system's.
  ///
  /// - Throws: ``AtRestError/Code/deviceUnavailable`` if there is none;
  ///   ``AtRestError/Code/notPermitted`` if the user may not use it; ``AtRestError/Code/busy``.
  package init() throws {
    let state = try TPM().perform { try $0.state() }
    manufacturer = state.manufacturer
    vendor = state.vendor
    firmware = state.firmware
    wrongAttempts = state.wrongAttempts
    maximumWrongAttempts = state.maximumWrongAttempts
    secondsPerAttempt = state.secondsPerAttempt
    isLockedOut = state.isLockedOut
    secondsUntilAttempt = state.secondsUntilAttempt
  }
}
