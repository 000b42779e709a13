extension SQLiteRemnantSearch {
  // MARK: Write-ahead log

  /// Searches the log from its end, so that each state of a page is compared with the one after it.
  func searchWAL<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    guard let wal = pass.storage.wal else { return }
    var following: [Int: Int] = [:]
    for frame in (0..<wal.frameCount).reversed() {
      let start = wal.offset(ofFrame: frame)
      guard let header = pass.read(wal.source, start..<start + SQLiteWAL.frameHeaderSize) else {
        continue
      }
      let number = header.bigEndian32(at: 0)
      if frame < wal.committedCount {
        if let next = following[number], let page = pass.page(number, ofFrame: frame) {
          try searchState(page, before: pass.page(number, ofFrame: next), .olderState, visit)
        }
        following[number] = frame
      } else if let page = pass.page(number, ofFrame: frame) {
        // SQLite also writes frames without salts while their transaction is not committed.
        let salts = header[8..<16]
        let isOfThisGeneration =
          salts.elementsEqual(wal.salts) || salts.allSatisfy { $0 == 0 }
        let after = isOfThisGeneration ? pass.page(number) : pass.mainPage(number)
        try searchState(
          page, before: after, isOfThisGeneration ? .uncommitted : .olderState, visit)
      }
    }
    // The main file has older states of these pages, unless the log was written back to it.
    for (number, frame) in following.sorted(by: { $0.key < $1.key }) {
      guard let page = pass.mainPage(number), page.content != pass.page(number)?.content else {
        continue
      }
      try searchState(page, before: pass.page(number, ofFrame: frame), .olderState, visit)
    }
    try yieldBytes(
      of: wal.source, .writeAheadLog, wal.offset(ofFrame: wal.frameCount)..<wal.source.count,
      page: 0, .olderState, visit)
  }

  // MARK: Rollback journal

  func searchJournal<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    guard let journal = pass.storage.journal else { return }
    for section in journal.sections {
      for index in 0..<section.count {
        let start = section.start + index * (journal.pageSize + 8)
        guard let key = pass.read(journal.source, start..<start + 4),
          let page = pass.page(
            key.bigEndian32(at: 0), in: journal.source, .journal, at: start + 4)
        else { continue }
        try searchState(page, before: pass.page(page.number), .olderState, visit)
      }
    }
    try yieldBytes(
      of: journal.source, .journal, journal.rest..<journal.source.count, page: 0, .olderState,
      visit)
  }

  // MARK: States of a page

  /// Visits the parts of a page's state that the next state does not have.
  private func searchState<Failure: Error>(
    _ page: SQLitePage, before next: SQLitePage?, _ origin: SQLiteRemnant.Origin,
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) {
    guard page.content != next?.content else { return }
    guard let tree = SQLiteTreePage(page), let next else {
      return try yieldWhole(page, origin, visit)
    }
    let kept = Set(cells(of: next).map { next.bytes[$0] })
    let blocks = tree.freeBlocks(in: page)
    let free = (blocks + (tree.gap(in: page).map { [$0] } ?? [])).filter { range in
      let other = range.lowerBound - page.start + next.start
      return page.bytes[range] != next.bytes[other..<other + range.count]
    }
    let gone = cells(of: page).filter { !kept.contains(page.bytes[$0]) }
    for range in coalesced(free + gone) {
      try yield(page, range, origin, freeBlocks: blocks, visit)
    }
  }

  /// The ranges of a page's records. Together they are never larger than the page.
  private func cells(of page: SQLitePage) -> [Range<Int>] {
    guard let tree = SQLiteTreePage(page), tree.isLeaf || tree.isIndex else { return [] }
    var result: [Range<Int>] = []
    var room = page.usable
    for index in 0..<tree.cellCount {
      guard let start = tree.cell(index, in: page),
        let cell = SQLiteCell(
          at: start, in: page.bytes, end: page.end, usable: page.usable, tree: tree),
        cell.end - start <= room
      else { continue }
      room -= cell.end - start
      result.append(start..<cell.end)
    }
    return result
  }
}
