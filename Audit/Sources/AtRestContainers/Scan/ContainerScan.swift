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
  /// The maximum number of encrypted databases on which keys are tried.
  private static let databaseLimit = 64

  private let source: ContainerSource
  private let canaries: [Canary]
  private let limits: WalkLimits
  private let keychain: [KeychainItem]
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
    for index in summary.files.indices {
      let file = summary.files[index]
      summary.files[index].verdict =
        file.isEncryptedWithin ? .encrypted : collector.verdict(on: file.locator, file.type)
    }
    let opened = open(&summary) { collector.look(at: $0) }
    summary.add(collector.problems, limit: limits.problems)
    let (discoveries, further) = collector.results
    return Result(
      discoveries: discoveries, furtherDiscoveries: further, summary: summary, opened: opened)
  }

  /// Tries the values of the container on its encrypted databases, and visits those that they open.
  private func open(
    _ summary: inout WalkSummary, _ visit: @escaping ContainerWalk.Visitor
  ) -> [OpenedDatabase] {
    var closed: [(index: Int, file: SQLCipherFile)] = []
    var unpackedLeft = limits.heldBytes
    for (index, report) in summary.files.enumerated() {
      do {
        guard let file = try database(report, &unpackedLeft) else { continue }
        guard closed.count < Self.databaseLimit else {
          throw FormatError("More than \(Self.databaseLimit) files may be encrypted databases.")
        }
        closed.append((index, file))
      } catch {
        let problem = WalkProblem(report.locator, "No keys were tried on the file: \(error)")
        summary.add([problem], limit: limits.problems)
      }
    }
    guard !closed.isEmpty else { return [] }
    let candidates = KeyCandidates()
    candidates.look(at: keychain)
    let walk = ContainerWalk(source, limits: limits)
    do {
      let second = try walk.run { candidates.look(at: $0) }
      let known = Set(summary.problems.map(\.locator))
      let new = second.problems.filter { !known.contains($0.locator) }
      summary.add(new, limit: limits.problems)
    } catch {
      let problem = WalkProblem(Locator(""), "Its values were not all tried as keys: \(error)")
      summary.add([problem], limit: limits.problems)
    }
    if candidates.dropped.keys > 0 {
      let reason =
        "\(candidates.dropped.keys) values of 32 bytes were not tried as keys. There are too many."
      summary.add([WalkProblem(Locator(""), reason)], limit: limits.problems)
    }
    let search = KeySearch(candidates: candidates, budget: limits.passphraseTime)
    var opened: [OpenedDatabase] = []
    var logBytesLeft = limits.heldBytes
    var databases: [DecryptedDatabase] = []
    for ((index, file), (opening, tries)) in zip(closed, search.open(closed.map(\.file))) {
      guard let opening else {
        summary.files[index].tries = tries
        continue
      }
      let database = OpenedDatabase(summary.files[index].locator, opening)
      summary.files[index].isOpened = true
      // What could not be read of the file without its key.
      summary.problems.removeAll { $0.locator.isInside(database.database) }
      opened.append(database)
      var wal: ByteSource?
      do {
        wal = try log(of: summary.files[index], by: opening, &logBytesLeft)
      } catch {
        let problem = WalkProblem(
          database.database, "The database was read without its log: \(error)")
        summary.add([problem], limit: limits.problems)
      }
      databases.append(
        DecryptedDatabase(
          locator: database.database.appending(.encoding(database.format)),
          main: opening.pages.plaintext(of: file.source), wal: wal))
    }
    summary.add(walk.run(databases, searching: visit), limit: limits.problems)
    return opened
  }

  /// - Parameter unpackedLeft: The number of bytes that files of archives may still hold in memory.
  private func database(
    _ report: FileReport, _ unpackedLeft: inout Int
  ) throws(FormatError) -> SQLCipherFile? {
    guard report.type == .sqlite || report.verdict == .encrypted, let listed = report.listed
    else { return nil }
    let (source, unpacked) = try listed.group.tree.open(listed.file).source(limit: unpackedLeft)
    guard let file = try SQLCipherFile(source, report.type) else { return nil }
    unpackedLeft -= unpacked
    return file
  }

  /// Decrypts the write-ahead log of a database. Returns nil if it has none.
  ///
  /// - Parameter bytesLeft: The number of bytes that logs may still hold in memory.
  /// - Throws: ``FormatError`` if it cannot be read, or there is a rollback journal, which is not decrypted.
  private func log(
    of database: FileReport, by opening: KeySearch.Opening, _ bytesLeft: inout Int
  ) throws(FormatError) -> ByteSource? {
    guard let listed = database.listed else { return nil }
    func file(_ suffix: String) throws(FormatError) -> ByteSource? {
      guard let file = listed.group.file(listed.file.path + suffix), file.size > 0 else {
        return nil
      }
      return try listed.group.tree.open(file).source(limit: bytesLeft).source
    }
    if let log = try file("-wal") {
      guard log.count <= bytesLeft else {
        throw FormatError("The logs are larger than \(limits.heldBytes) bytes.")
      }
      bytesLeft -= log.count
      return try opening.pages.plaintext(ofLog: log)
    }
    if let journal = try file("-journal"), try journal.prefix(8).starts(with: Self.journalMagic) {
      throw FormatError("A rollback journal is not decrypted.")
    }
    return nil
  }

  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
}

extension Locator {
  /// Returns true if this is the place of a file, or one inside it.
  fileprivate func isInside(_ file: Locator) -> Bool {
    path == file.path && steps.starts(with: file.steps)
  }
}
