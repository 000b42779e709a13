import AtRestCrypto

extension StoragePolicy {
  /// Returns the policy as a Markdown table, with a row for each combination of kind, data subject
  /// and size.
  ///
  /// - Parameter hasCompositeKey: True if the vault has a recipe for a composite key.
  public func table(hasCompositeKey: Bool) -> String {
    var rows = [
      "| kind | whose | size | sensitivity | store | class | key | migrates | kept |",
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for kind in DataKind.all {
      for subject in DataSubject.allCases {
        for (size, words) in [(0, "≤ \(keychainLimit)"), (keychainLimit + 1, "> \(keychainLimit)")]
        {
          let cells = cells(Classification(kind, of: subject), size, hasCompositeKey)
          let row = ["\(kind)", subject.rawValue, words] + cells
          rows.append("| \(row.joined(separator: " | ")) |")
        }
      }
    }
    return rows.joined(separator: "\n") + "\n"
  }

  private func cells(
    _ classification: Classification, _ size: Int, _ hasCompositeKey: Bool
  ) -> [String] {
    let sensitivity = sensitivity(of: classification)
    func refused(_ why: String) -> [String] { ["\(sensitivity)", why, "–", "–", "–", "–"] }
    if classification.kind.alternative != nil { return refused("never stored") }
    if classification.kind.place == .keychain, size > keychainLimit { return refused("too large") }
    // The check that a retention is declared is skipped, so the rest of the row can be computed.
    let isUnsaid = self[sensitivity].statesRetention && !classification.kind.retention.isLimited
    do {
      let decision = try decide(
        classification, size: size, retention: nil,
        hasCompositeKey: hasCompositeKey, isRetentionKnown: true)
      let kept = isUnsaid ? "as declared, at most \(decision.retention)" : "\(decision.retention)"
      return [
        "\(sensitivity)", decision.store.rawValue, decision.accessibility.name,
        decision.key.rawValue, decision.mayMigrate ? "yes" : "no", kept,
      ]
    } catch {
      return refused("refused")
    }
  }
}
