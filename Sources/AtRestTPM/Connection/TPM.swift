import AtRestCrypto
import CAtRestTPM
import Foundation

/// A TPM 2.0, reached through tpm2-tss, which is loaded when the first connection is opened.
///
/// ``perform(_:)`` opens a connection, runs operations on it one after the other, and closes it. A
/// connection is never kept: a TPM that was restarted is found again by the next call, and other
/// programs can use a TPM without a resource manager in between. Opening costs the creation of the
/// primary key (0.1 to 0.5 s on hardware that does not keep it), so put operations that belong
/// together into one call.
///
/// ```swift
/// let tpm = TPM(primary: name)
/// let secret = try tpm.perform { try $0.unseal(object) }
/// ```
///
/// Calls from several threads wait for each other.
package final class TPM: Sendable {
  /// The name of the TPM's transport, such as `device:/dev/tpmrm0`.
  package let transport: String
  /// The name that the TPM's primary key must have, or nil if any TPM is accepted.
  package let primary: TPMName?
  let patience: Duration
  let silence: Duration
  private let gate = NSLock()

  /// The transport that the variable `ATREST_TPM` names, or `device:/dev/tpmrm0`.
  package static var defaultTransport: String {
    let variable = ProcessInfo.processInfo.environment["ATREST_TPM"] ?? ""
    return variable.isEmpty ? "device:/dev/tpmrm0" : variable
  }

  /// The time after which a TPM that does not answer a command is reported as busy: the number of
  /// seconds in the variable `ATREST_TPM_TIMEOUT`, from 0.01 to 3,600, or 30.
  package static var usualSilence: Duration {
    let variable = ProcessInfo.processInfo.environment["ATREST_TPM_TIMEOUT"] ?? ""
    guard let seconds = Double(variable), (0.01...3600).contains(seconds) else {
      return .seconds(30)
    }
    return .milliseconds(Int(seconds * 1000))
  }

  /// Describes a TPM. Nothing is opened yet.
  ///
  /// - Parameters:
  ///   - primary: The name of the primary key, as ``TPMConnection/primaryName()`` returned it. Every
  ///     connection then fails with ``AtRestError/Code/otherDevice`` if the TPM has another one.
  ///   - patience: The longest time to repeat a command that the TPM is too busy for.
  ///   - silence: The longest time to wait for the answer to one command.
  package init(
    transport: String = TPM.defaultTransport, primary: TPMName? = nil,
    patience: Duration = .seconds(5), silence: Duration = TPM.usualSilence
  ) {
    self.transport = transport
    self.primary = primary
    self.patience = patience
    self.silence = silence
  }

  /// Runs operations on one connection.
  ///
  /// Everything that the operations loaded into the TPM is removed when the closure returns. The
  /// connection must not be used afterwards.
  ///
  /// - Throws: ``AtRestError/Code/deviceUnavailable`` if there is no TPM or no library, or the TPM
  ///   is gone in the middle of a call; ``AtRestError/Code/notPermitted`` if the user may not use
  ///   it; ``AtRestError/Code/busy`` if the TPM is too busy, or does not answer; ``AtRestError/Code/otherDevice`` if it
  ///   is not the one with ``primary``; ``AtRestError/Code/throttled`` after too many wrong
  ///   authorization values; and the errors of the operations.
  package func perform<Outcome: ~Copyable>(
    _ operations: (TPMConnection) throws -> Outcome
  ) throws -> Outcome {
    gate.lock()
    defer { gate.unlock() }
    // The library writes to a socket. If the other end is gone, that must not end the process.
    let pipe = atrest_tss_hold_pipe()
    defer { atrest_tss_release_pipe(pipe) }
    let connection = try TPMConnection(to: self)
    defer { connection.close() }
    do {
      return try operations(connection)
    } catch let refusal as TPMRefusal where refusal.isLockout {
      throw try connection.state().lockoutError(cause: refusal)
    } catch let refusal as TPMRefusal {
      throw refusal.error(on: self)
    }
  }

  /// Returns the reason why a TPM cannot be used, or nil if it can be.
  ///
  /// The codes are those of ``perform(_:)``.
  package static func unavailability(of transport: String = TPM.defaultTransport) -> AtRestError? {
    do {
      try TPM(transport: transport).perform { _ = try $0.state() }
      return nil
    } catch {
      return error as? AtRestError
        ?? TPMTransport.unreachable(transport, cause: error)
    }
  }
}
