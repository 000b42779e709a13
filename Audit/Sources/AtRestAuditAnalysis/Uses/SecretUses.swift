import AtRestAuditModel

/// The uses of values as secrets in a project: in headers, in the keychain, as passwords and keys.
///
/// A name with several meanings shows a secret only if one of these uses supports it.
package struct SecretUses: Sendable {
  /// The uses by the last word of the value's name.
  private var uses: [String: [SecretUse]] = [:]
  /// The uses that show that a value is no secret, in the same form.
  private var others: [String: [SecretUse]] = [:]

  /// The uses of what is read from preferences, by the key of the entry.
  private var preferences: [String: Finding.Step] = [:]
  /// The keys of the preferences that everybody sees.
  private var shown: Set<String> = []

  /// True if requests of the app carry a token or a password in a header.
  package private(set) var sendsToken = false

  /// Collects the uses in all files of a project, on all cores.
  package init(_ project: ProjectFacts) {
    let names = OwnNames.current
    let declared = Set(project.types.values.flatMap { $0.variables.keys })
    let parts = Workers.map(project.scopes.count) { index in
      OwnNames.$current.withValue(names) {
        var collector = UseCollector(Inspector(project: project), declared: declared)
        for scope in project.scopes[index] { collector.collect(scope) }
        collector.collect(project.files[index])
        return (collector.uses, collector.others, collector.preferences, collector.shown)
      }
    }
    for (uses, others, preferences, shown) in parts {
      for use in uses { self.uses[use.words.last ?? "", default: []].append(use) }
      for use in others { self.others[use.words.last ?? "", default: []].append(use) }
      sendsToken = sendsToken || uses.contains { UseTable.isHeader($0.step.message) }
      self.preferences.merge(preferences) { first, _ in first }
      self.shown.formUnion(shown)
    }
  }

  /// Returns a use which shows that a value of this name is a secret, or nil if the code has no such use.
  package func witness(for name: String, owner: String?, file: String) -> Finding.Step? {
    let words = WeakNames.words(of: name)
    let isWeak = WeakNames.contains(name, of: owner)
    func found(_ table: [String: [SecretUse]]) -> SecretUse? {
      table[words.last ?? ""]?.first { $0.concerns(words, owner, file, isWeak: isWeak) }
    }
    guard let use = found(uses) else { return nil }
    // What everybody sees is no secret, even if something of its name is one elsewhere.
    if isWeak, found(others) != nil { return nil }
    return use.step
  }

  /// Returns a use of what the code reads from an entry of preferences. nil means that the code uses it nowhere.
  package func witness(ofPreference key: String) -> Finding.Step? {
    WeakNames.contains(key) && shown.contains(key) ? nil : preferences[key]
  }
}
