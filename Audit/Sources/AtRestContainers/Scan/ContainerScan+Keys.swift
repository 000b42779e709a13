import AtRestFormats

/// The values of a container, tried on its encrypted files.
extension ContainerScan {
  /// The maximum number of encrypted files on which keys are tried.
  private static let fileLimit = 64
  private static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]

  /// A file that may be encrypted, and its place in the summary.
  private struct Closed {
    let index: Int
    let file: any LockedFile
    let source: ByteSource
  }

  /// Tries the values of the container on its encrypted files, and visits those that they open. The values of these are
  /// tried on the others.
  func open(
    _ summary: inout WalkSummary, _ visit: @escaping ContainerWalk.Visitor
  ) -> [OpenedDatabase] {
    var closed = closedFiles(&summary)
    guard !closed.isEmpty else { return [] }
    let walk = ContainerWalk(source, limits: limits)
    var candidates = candidates(&summary, walk)
    var opened: [OpenedDatabase] = []
    var logBytesLeft = limits.heldBytes
    var timeLeft = limits.passphraseTime
    while !closed.isEmpty {
      let start = ContinuousClock.now
      let results = KeySearch(candidates: candidates, budget: timeLeft).open(closed.map(\.file))
      timeLeft = max(.zero, timeLeft - (ContinuousClock.now - start))
      var files: [DecryptedFile] = []
      for (closed, (opening, tries)) in zip(closed, results) {
        guard let opening else {
          summary.files[closed.index].add(tries)
          continue
        }
        let database = OpenedDatabase(summary.files[closed.index].locator, opening)
        summary.files[closed.index].isOpened = true
        summary.files[closed.index].tries = nil
        // What could not be read of the file without its key. Other entries of an archive may be damaged.
        let isArchive = database.kind == .archive
        summary.problems.removeAll {
          $0.locator.isInside(database.database)
            && (!isArchive || $0.reason == ZipArchive.isEncryptedReason)
        }
        opened.append(database)
        files.append(
          DecryptedFile(
            locator: database.database.appending(.encoding(database.format)),
            contents: contents(of: closed, opening, &summary, &logBytesLeft)))
      }
      guard !files.isEmpty else { break }
      closed.removeAll { summary.files[$0.index].isOpened }
      let found = KeyCandidates()
      let summaryOfFiles = walk.run(files) { item in
        found.look(at: item)
        return visit(item)
      }
      summary.add(summaryOfFiles, limit: limits.problems)
      candidates = found
    }
    // Only now, because the files that are still closed are known by their index.
    if opened.contains(where: { $0.kind == .archive }) { summary.sortFiles() }
    return opened
  }

  // MARK: Files

  private func closedFiles(_ summary: inout WalkSummary) -> [Closed] {
    var closed: [Closed] = []
    var unpackedLeft = limits.heldBytes
    for (index, report) in summary.files.enumerated() {
      do {
        guard let (file, source) = try lockedFile(report, &unpackedLeft) else { continue }
        guard closed.count < Self.fileLimit else {
          throw FormatError("More than \(Self.fileLimit) files may be encrypted.")
        }
        closed.append(Closed(index: index, file: file, source: source))
      } catch {
        let problem = WalkProblem(report.locator, "No keys were tried on the file: \(error)")
        summary.add([problem], limit: limits.problems)
      }
    }
    return closed
  }

  /// - Parameter unpackedLeft: The number of bytes that files of archives may still hold in memory.
  private func lockedFile(
    _ report: FileReport, _ unpackedLeft: inout Int
  ) throws(FormatError) -> (file: any LockedFile, source: ByteSource)? {
    guard let listed = report.listed,
      report.type == .sqlite || report.type == .zip || report.verdict == .encrypted
    else { return nil }
    let (source, unpacked) = try listed.group.tree.open(listed.file).source(limit: unpackedLeft)
    var file: (any LockedFile)?
    switch report.type {
    case .mmkv:
      guard let state = report.storeState else { return nil }
      file = try EncryptedMMKV(source, state)
    case .hive:
      guard let box = HiveBox(source) else { return nil }
      file = try EncryptedHive(box)
    case .zip: file = try EncryptedZip(source)
    default:
      if listed.file.path.lowercased().hasSuffix(".realm") {
        throw FormatError("It may be a database of Realm, which is not opened.")
      }
      file = try wholeFile(source)
      if file == nil { file = try SQLCipherFile(source, report.type) }
    }
    guard let file else { return nil }
    unpackedLeft -= unpacked
    return (file, source)
  }

  /// A file that is encrypted as a whole.
  private func wholeFile(_ source: ByteSource) throws(FormatError) -> (any LockedFile)? {
    if let file = try EncryptedOpenSSL(source) { return file }
    return try EncryptedRNCryptor(source)
  }

  // MARK: Candidates

  /// Collects the values of the container and of its keychain.
  private func candidates(_ summary: inout WalkSummary, _ walk: ContainerWalk) -> KeyCandidates {
    let candidates = KeyCandidates()
    candidates.look(at: keychain)
    do {
      let second = try walk.run { candidates.look(at: $0) }
      let known = Set(summary.problems.map(\.locator))
      let new = second.problems.filter { !known.contains($0.locator) }
      summary.add(new, limit: limits.problems)
    } catch {
      let problem = WalkProblem(Locator(""), "Its values were not all tried as keys: \(error)")
      summary.add([problem], limit: limits.problems)
    }
    let dropped = candidates.dropped.keys
    if dropped > 0 {
      let reason = "\(dropped) values of the size of a key were not tried. There are too many."
      summary.add([WalkProblem(Locator(""), reason)], limit: limits.problems)
    }
    return candidates
  }

  // MARK: Contents

  /// The contents of an opened file, with its write-ahead log.
  private func contents(
    of closed: Closed, _ opening: KeySearch.Opening, _ summary: inout WalkSummary,
    _ logBytesLeft: inout Int
  ) -> DecryptedFile.Contents {
    switch opening.file.contents {
    case .store(let source, let state): return .store(source, state)
    case .box(let box, let decrypt): return .box(box, decrypt: decrypt)
    case .file(let source): return .file(source)
    case .archive(let tree): return .archive(tree)
    case .database(let pages):
      var wal: ByteSource?
      do {
        wal = try log(of: summary.files[closed.index], pages, &logBytesLeft)
      } catch {
        let problem = WalkProblem(
          summary.files[closed.index].locator, "The database was read without its log: \(error)")
        summary.add([problem], limit: limits.problems)
      }
      return .database(pages.plaintext(of: closed.source), wal: wal)
    }
  }

  /// Decrypts the write-ahead log of a database. Returns nil if it has none.
  ///
  /// - Parameter bytesLeft: The number of bytes that logs may still hold in memory.
  /// - Throws: ``FormatError`` if it cannot be read, or there is a rollback journal, which is not decrypted.
  private func log(
    of database: FileReport, _ pages: SQLCipherPages, _ bytesLeft: inout Int
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
      return try pages.plaintext(ofLog: log)
    }
    if let journal = try file("-journal"), try journal.prefix(8).starts(with: Self.journalMagic) {
      throw FormatError("A rollback journal is not decrypted.")
    }
    return nil
  }
}

extension Locator {
  /// Returns true if this is the place of a file, or one inside it.
  fileprivate func isInside(_ file: Locator) -> Bool {
    path == file.path && steps.starts(with: file.steps)
  }
}

extension FileReport {
  /// Adds values that were tried on the file and did not open it.
  fileprivate mutating func add(_ new: KeyTries) {
    var sum = KeyTries(
      keys: (tries?.keys ?? 0) + new.keys,
      allPassphrases: (tries?.allPassphrases ?? 0) + new.allPassphrases)
    sum.passphrases = (tries?.passphrases ?? 0) + new.passphrases
    tries = sum
  }
}
