import AtRestCrypto
import AtRestKeybag
import Foundation

extension Vault {
  /// What this device and process cannot give, in words for users, with what to do.
  public var risks: [Risk] {
    let ofStore = keychain.keybag.risks
    return ofStore + DeviceRisks.list(in: options.environment, beside: ofStore)
  }

  /// Looks at the running program, and does what ``Options/runtimePolicy`` says about what it sees.
  ///
  /// The vault does so itself when it is opened, and at a use when the last look is older than
  /// ``Options/runtimeInterval``.
  ///
  /// - Returns: What was seen, where it is to be reported and no more.
  /// - Throws: ``AtRestError/Code/notPermitted``, with what was seen, where the policy refuses, locks or
  ///   wipes; what `wipe()` throws.
  @discardableResult
  public func checkRuntime() throws -> RuntimeReport {
    let report = RuntimeIntegrity(options.environment).report()
    guard let response = options.runtimePolicy.response(to: report), response > .report else {
      noteRuntimeCheck()
      return report
    }
    // In a transaction of the caller's a wipe is not possible, and comes at the next look.
    let isWiped = response == .wipe && !keychain.isInTransaction
    switch response {
    case .report, .refuse: break
    case .wipe where isWiped: try wipe()
    case .lock, .wipe: keychain.keybag.lock()
    }
    let seen = report.all.filter {
      options.runtimePolicy.response(to: $0).map { $0 > .report } ?? false
    }
    throw AtRestError(
      .notPermitted,
      "\(isWiped ? "The vault was wiped" : "The vault is closed"): "
        + seen.map(\.message).joined(separator: " "),
      remedy: seen.map(\.remedy).filter { !$0.isEmpty }.joined(separator: " "))
  }
}
