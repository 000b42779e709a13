@_spi(Tools) import AtRestCrypto
import CAtRestTPM

extension TPMConnection {
  /// Returns the digest of a policy for the registers' present values, and of the authorization
  /// value if one is needed too.
  ///
  /// The commands are authenticated by the salted session. Otherwise an interposer could replace the
  /// registers and weaken the policy.
  func digest(of policy: TPMPolicy, isAuthorized: Bool) throws -> [UInt8] {
    try checkBank(of: policy)
    let audit = try session([.audit])
    let trial = try startSession(TPMConstants.trialSession, saltedWith: loadedPrimary().handle)
    defer { flush(trial) }
    try satisfy(policy, isAuthorized: isAuthorized, in: trial, audit: audit)
    let none = TPMConstants.libraryNone
    var digest: UnsafeMutableRawPointer?
    try run("PolicyGetDigest") {
      functions.policy_digest(context, trial, audit, none, none, &digest)
    }
    return Array(try tss.wire(of: digest, \.write_digest).dropFirst(2))
  }

  /// Calls a closure with a session that satisfies a policy if the registers have the right values.
  func withPolicySession<Outcome: ~Copyable>(
    for policy: TPMPolicy, isAuthorized: Bool, _ attributes: TPMSessionAttributes,
    _ body: (UInt32) throws -> Outcome
  ) throws -> Outcome {
    let session = try startSession(TPMConstants.policySession, saltedWith: loadedPrimary().handle)
    defer {
      if isAuthorized { overwriteSecrets(of: session) }
      flush(session)
    }
    try satisfy(
      policy, isAuthorized: isAuthorized, in: session, audit: TPMConstants.libraryNone)
    try setAttributes(attributes.union(.continues), of: session)
    return try body(session)
  }

  private func satisfy(
    _ policy: TPMPolicy, isAuthorized: Bool, in session: UInt32, audit: UInt32
  ) throws {
    let none = TPMConstants.libraryNone
    try tss.withStructures([
      .init(\.read_digest, [0, 0]), .init(\.read_pcr_selection, policy.selection),
    ]) { inputs in
      try run("PolicyPCR") {
        functions.policy_pcr(context, session, audit, none, none, inputs[0], inputs[1])
      }
    }
    guard isAuthorized else { return }
    try run("PolicyAuthValue") {
      functions.policy_auth_value(context, session, audit, none, none)
    }
  }

  /// Checks that the TPM has the registers in its SHA-256 bank. It ignores those that it does not
  /// have, and the policy would be weaker than it says.
  private func checkBank(of policy: TPMPolicy) throws {
    let wire = try capability(
      TPMConstants.capabilityPCRs, from: 0, count: 1, session: try session([.audit]))
    let mask = try wire.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The TPM's list of registers")
      _ = try reader.integer(UInt32.self)
      var mask: UInt32 = 0
      for _ in 0..<min(try reader.integer(UInt32.self), 16) {
        let bank = try reader.integer(UInt16.self)
        let size = Int(try reader.integer(UInt8.self))
        let bits = try reader.fixed(size)
        guard bank == TPMConstants.sha256 else { continue }
        for (index, byte) in bits.prefix(4).enumerated() { mask |= UInt32(byte) << (8 * index) }
      }
      return mask
    }
    guard policy.mask & ~mask == 0 else {
      throw AtRestError.invalid(
        "This TPM has no SHA-256 values for some of the registers \(policy.names).",
        remedy: "Choose other registers, or enable the SHA-256 bank in the firmware's settings.")
    }
  }
}
