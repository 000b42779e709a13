/// The names that the settings of a project declare sensitive or harmless.
package struct OwnNames: Sendable {
  /// The kinds by their words, in lower case, separated by a blank.
  private let sensitive: [String: Sensitivity]
  private let harmless: Set<String>

  /// The names of the audit that this task works for.
  @TaskLocal package static var current: OwnNames?

  /// Returns nil if the settings name none.
  package init?(sensitive: [String: Sensitivity], harmless: Set<String>) {
    guard !sensitive.isEmpty || !harmless.isEmpty else { return nil }
    func words(_ name: String) -> String { Words.split(name).joined(separator: " ") }
    self.sensitive = Dictionary(
      sensitive.map { (words($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.harmless = Set(harmless.map(words))
  }

  /// Returns the verdict of the settings on a name that ends in these words, if they have one.
  func verdict(_ words: ArraySlice<String>) -> Verdict? {
    for length in stride(from: min(words.count, 6), through: 1, by: -1) {
      let phrase = words.suffix(length).joined(separator: " ")
      if harmless.contains(phrase) { return .harmless }
      if let found = sensitive[phrase] { return .sensitive(found) }
    }
    return nil
  }

  enum Verdict { case sensitive(Sensitivity), harmless }
}
