import AtRestCrypto
import AtRestTPM
import Foundation

/// Returns the error that a closure throws, or nil.
func refusal<Outcome: ~Copyable>(_ body: () throws -> Outcome) -> AtRestError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? AtRestError
      ?? AtRestError(.system, "Another type of error.", remedy: "", cause: error)
  }
}

extension SoftwareTPM {
  /// AtRest's view of this TPM.
  func tpm(pinned primary: TPMName? = nil) -> TPM {
    TPM(transport: transport, primary: primary)
  }
}

/// 32 bytes that are the same in each call with the same seed.
func value(_ seed: UInt8) -> SecretBytes {
  SecretBytes(Data((0..<32).map { seed &+ $0 &* 7 }))
}
