import AtRestCrypto
import AtRestKeybag
import Foundation

extension Vault {
  /// The protections that the store, this device and this process lack, each with its remedy, in words
  /// for users. `atrest status` shows the same list.
  public var risks: [StoreRisk] { DeviceRisks.list(of: keychain, in: options.environment) }

  /// Checks the running program, and responds as ``Options/runtimePolicy`` says.
  ///
  /// The vault also runs this check when it is opened, and before a value is used if the last check
  /// is older than ``Options/runtimeInterval``.
  ///
  /// - Returns: The findings that the policy only reports.
  /// - Throws: ``AtRestError/Code/notPermitted``, with the findings, if the policy refuses, locks
  ///   or wipes; the error of `wipe()`.
  @discardableResult
  public func checkRuntime() throws -> RuntimeReport {
    let report = RuntimeIntegrity(options.environment).report()
    guard let response = options.runtimePolicy.response(to: report), response > .report else {
      noteRuntimeCheck()
      return report
    }
    // A wipe is not possible inside a caller's transaction. The store is locked instead, and the
    // next check wipes.
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
