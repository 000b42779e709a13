import AtRestCrypto

extension Policy {
  /// The policy as a table in Markdown: each kind by size and owner.
  ///
  /// - Parameter hasCompositeKey: Whether the vault has a recipe for a composite key.
  public func table(hasCompositeKey: Bool) -> String {
    var rows = [
      "| kind | whose | size | sensitivity | store | class | key | migrates | kept |",
      "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for kind in DataKind.all {
      for subject in DataSubject.allCases {
        for (size, words) in [(0, "≤ \(keychainLimit)"), (keychainLimit + 1, "> \(keychainLimit)")]
        {
          rows.append(
            "| \(kind) | \(subject.rawValue) | \(words) | "
              + cells(Classification(kind, of: subject), size, hasCompositeKey) + " |")
        }
      }
    }
    return rows.joined(separator: "\n") + "\n"
  }

  private func cells(
    _ classification: Classification, _ size: Int, _ hasCompositeKey: Bool
  ) -> String {
    let sensitivity = sensitivity(of: classification)
    do {
      let decision = try decide(
        classification, size: size, hasCompositeKey: hasCompositeKey)
      return [
        "\(sensitivity)", decision.store.rawValue, decision.accessibility.name,
        decision.key.rawValue, decision.mayMigrate ? "yes" : "no", "\(decision.retention)",
      ].joined(separator: " | ")
    } catch {
      let refusal =
        switch (error as? AtRestError)?.code {
        case .neverStored: "never stored"
        case .invalidArgument where size > keychainLimit && classification.kind.place == .keychain:
          "too large"
        default: "has to say how long"
        }
      return "\(sensitivity) | \(refusal) | | | | "
    }
  }
}
