import AtRestFormats

/// Searches a container for text that a tester typed, and for secrets recognised by name or form.
///
/// ```swift
/// let scan = ContainerScan(try ContainerSource("Data/Application/Bank"), canaries: typed)
/// for found in try scan.run().discoveries { print(found.locator) }
/// ```
///
/// Blocks until it is done, and uses all cores. Nothing is modified.
package struct ContainerScan: Sendable {
  let source: ContainerSource
  private let canaries: [Canary]
  let limits: WalkLimits
  let keychain: [KeychainItem]
  private let hashes: Bool

  /// Creates a scan of a source.
  ///
  /// - Parameters:
  ///   - keychain: The keychain items of the app, whose values may be keys of its databases.
  ///   - hashes: True to compute the SHA-256 of each file.
  package init(
    _ source: ContainerSource, canaries: [Canary] = [], limits: WalkLimits = .standard,
    keychain: [KeychainItem] = [], hashes: Bool = false
  ) {
    self.source = source
    self.canaries = canaries
    self.limits = limits
    self.keychain = keychain
    self.hashes = hashes
  }

  package struct Result: Sendable {
    /// The discoveries, ordered by file and, within a file, by what was found.
    package let discoveries: [Discovery]
    /// The number of discoveries that were omitted because their file exceeded a limit.
    package let furtherDiscoveries: Int
    /// The files that were opened, with the verdict on each, and the parts that could not be
    /// opened.
    package let summary: WalkSummary
    /// The encrypted databases that a value of the container opens. Their values are among the discoveries.
    package let opened: [OpenedDatabase]
  }

  /// Searches all files.
  ///
  /// - Throws: ``FormatError`` if the files cannot be listed.
  package func run() throws(FormatError) -> Result {
    let collector = DiscoveryCollector(canaries)
    var summary = try ContainerWalk(source, limits: limits, hashes: hashes)
      .run(searching: { collector.look(at: $0) })
    collector.look(atNamesOf: summary.files)
    judge(&summary, collector)
    let opened = open(&summary) { collector.look(at: $0) }
    // The files of archives that were opened.
    judge(&summary, collector)
    summary.add(collector.problems, limit: limits.problems)
    let (discoveries, further) = collector.results
    return Result(
      discoveries: discoveries, furtherDiscoveries: further, summary: summary, opened: opened)
  }

  /// Determines the verdicts on the files that have none.
  private func judge(_ summary: inout WalkSummary, _ collector: DiscoveryCollector) {
    for index in summary.files.indices where summary.files[index].verdict == nil {
      let file = summary.files[index]
      summary.files[index].verdict =
        file.isEncryptedWithin ? .encrypted : collector.verdict(on: file.locator, file.type)
    }
  }
}
