import AtRestKeybag

/// What this machine and process cannot give, in words for users: beside `risks` of ``Keybag``, which
/// tell of the store.
public enum DeviceRisks {
  private static let names: [(check: RuntimeCheck, id: String)] = [
    (.debugger, "debugger-attached"), (.coreDumps, "core-dumps"), (.swap, "unencrypted-swap"),
  ]

  /// The risks of an environment, one a finding.
  ///
  /// What could not be looked at is among them, under the same name with `-unknown`.
  ///
  /// - Parameter known: Risks that are told already, such as the keybag's: what they say is not said
  ///   twice.
  public static func list(
    in environment: RuntimeEnvironment = .current, beside known: [Risk] = []
  ) -> [Risk] {
    let report = RuntimeIntegrity(environment).report(names.map(\.check))
    return names.flatMap { check, id -> [Risk] in
      // "Not all memory for secrets could be locked" says what swap does to them.
      if check == .swap, known.contains(where: { $0.id == "unlocked-memory" }) { return [] }
      return report.findings(of: check).compactMap { finding in
        switch finding.outcome {
        case .found: Risk(id: id, message: finding.message, remedy: finding.remedy)
        case .undetermined:
          Risk(id: "\(id)-unknown", message: finding.message, remedy: finding.remedy)
        case .clear, .notApplicable: nil
        }
      }.filter { risk in !known.contains { $0.id == risk.id } }
    }
  }
}
