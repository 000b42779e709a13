/// The names that the settings of a project declare sensitive or harmless.
public struct OwnNames: Sendable {
  /// The kinds of sensitive names. Each key is the words of a name, in lower case and separated by
  /// spaces.
  private let sensitive: [String: SensitiveKind]
  private let harmless: Set<String>

  /// The names in the settings of the audit for which this task works.
  @TaskLocal public static var current: OwnNames?

  /// Returns nil if the settings declare no names.
  public init?(sensitive: [String: SensitiveKind], harmless: Set<String>) {
    guard !sensitive.isEmpty || !harmless.isEmpty else { return nil }
    func words(_ name: String) -> String { Words.split(name).joined(separator: " ") }
    self.sensitive = Dictionary(
      sensitive.map { (words($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    self.harmless = Set(harmless.map(words))
  }

  /// Returns the verdict of the settings on a name that ends in these words, or nil if there is
  /// none.
  func verdict(_ words: ArraySlice<String>) -> Verdict? {
    for length in stride(from: min(words.count, 6), through: 1, by: -1) {
      let phrase = words.suffix(length).joined(separator: " ")
      if harmless.contains(phrase) { return .harmless }
      if let found = sensitive[phrase] { return .sensitive(found) }
    }
    return nil
  }

  /// Returns true if the settings declare a name sensitive.
  public func declares(_ name: String) -> Bool {
    if case .sensitive? = verdict(Words.split(name)[...]) { true } else { false }
  }

  enum Verdict {
    case sensitive(SensitiveKind)
    case harmless
  }
}
