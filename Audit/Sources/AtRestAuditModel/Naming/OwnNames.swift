/// Names that a project's settings say are sensitive, or are not.
package struct OwnNames: Sendable {
  /// By their words, in lower case, with a blank between.
  private let sensitive: [String: Sensitivity]
  private let harmless: Set<String>

  /// Those of the audit that this thread works for.
  @TaskLocal package static var current: OwnNames?

  /// Nothing if the settings name none.
  package init?(sensitive: [String: Sensitivity], harmless: Set<String>) {
    guard !sensitive.isEmpty || !harmless.isEmpty else { return nil }
    func words(_ name: String) -> String { Words.split(name).joined(separator: " ") }
    self.sensitive = Dictionary(
      sensitive.map { (words($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.harmless = Set(harmless.map(words))
  }

  /// What the settings say of a name that ends in these words, if anything.
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
