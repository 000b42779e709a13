import AtRestKeybag
import AtRestKeychain

/// The protections that this machine and process lack, described for users. The list complements
/// the `risks` of a ``Keybag``, which describe the store.
public enum DeviceRisks {
  private static let names: [(check: RuntimeCheck, id: String)] = [
    (.debugger, "debugger-attached"), (.coreDumps, "core-dumps"), (.swap, "unencrypted-swap"),
  ]

  /// Returns everything that a store, its device, and this machine and process do not protect:
  /// `risks` of the keychain, and the risks of an environment.
  ///
  /// `atrest status`, `Vault.risks` and `AccountReport.risks` are this list.
  public static func list(
    of keychain: Keychain, in environment: RuntimeEnvironment = .current
  ) -> [StoreRisk] {
    let stored = keychain.risks
    return stored + list(in: environment, beside: stored)
  }

  /// Returns the risks of an environment, one for each finding.
  ///
  /// A check that could not be made is included too, with `-unknown` at the end of its identifier.
  ///
  /// - Parameter known: Risks that are already listed, such as the keybag's. The result omits these
  ///   risks.
  public static func list(
    in environment: RuntimeEnvironment = .current, beside known: [StoreRisk] = []
  ) -> [StoreRisk] {
    let report = RuntimeIntegrity(environment).report(names.map(\.check))
    return names.flatMap { check, id -> [StoreRisk] in
      // "Not all memory for secrets could be locked" already covers the effect of swap on secrets.
      if check == .swap, known.contains(where: { $0.id == "unlocked-memory" }) { return [] }
      return report.findings(of: check).compactMap { finding in
        switch finding.outcome {
        case .found: StoreRisk(id: id, message: finding.message, remedy: finding.remedy)
        case .undetermined:
          StoreRisk(id: "\(id)-unknown", message: finding.message, remedy: finding.remedy)
        case .clear, .notApplicable: nil
        }
      }.filter { risk in !known.contains { $0.id == risk.id } }
    }
  }
}
