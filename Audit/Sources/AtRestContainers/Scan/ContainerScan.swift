import AtRestFormats

/// Searches a container for what a tester typed in, and for secrets that their name or form gives away.
///
///     let scan = ContainerScan(try ContainerSource("Data/Application/Bank"), canaries: typed)
///     for found in try scan.run().discoveries { print(found.locator) }
///
/// Blocks until it is done; all cores take part. Nothing is altered.
package struct ContainerScan: Sendable {
  private let source: ContainerSource
  private let canaries: [Canary]
  private let limits: WalkLimits
  private let hashes: Bool

  /// - Parameter hashes: Whether the SHA-256 of each file is wanted.
  package init(
    _ source: ContainerSource, canaries: [Canary] = [], limits: WalkLimits = .standard,
    hashes: Bool = false
  ) {
    self.source = source
    self.canaries = canaries
    self.limits = limits
    self.hashes = hashes
  }

  package struct Result: Sendable {
    /// By file, and within a file by what was found.
    package let discoveries: [Discovery]
    /// Discoveries beyond the limits of a file, which are counted only.
    package let furtherDiscoveries: Int
    /// What was opened, with the verdict on each file, and what could not be.
    package let summary: WalkSummary
  }

  /// Goes through all files.
  ///
  /// - Throws: ``FormatError`` if the files cannot be listed at all.
  package func run() throws(FormatError) -> Result {
    let collector = DiscoveryCollector(canaries)
    var summary = try ContainerWalk(source, limits: limits, hashes: hashes)
      .run { collector.look(at: $0) }
    collector.look(atNamesOf: summary.files)
    for index in summary.files.indices {
      let file = summary.files[index]
      summary.files[index].verdict = collector.verdict(on: file.locator, file.type)
    }
    let (discoveries, further) = collector.results
    return Result(discoveries: discoveries, furtherDiscoveries: further, summary: summary)
  }
}
