import AtRestCrypto
import Foundation

/// A checkpoint: the pages that it writes, and the states before and after it.
///
/// The state before leaves out the pages of the log, because during the checkpoint nobody knows which of
/// them are in the database. After a crash the log still has them, so the next checkpoint goes on from
/// the same state, and no page is accepted because it is on the disk.
struct Checkpoint {
  /// The state while pages are written.
  let base: DatabaseState

  private struct LogPage {
    let frame: Int
    let reserve: Data
    var isWritten = false
  }

  /// The pages of the log with their last frame.
  private var pages: [UInt32: LogPage] = [:]
  private let pageCount: UInt32
  private let locksPage: UInt32
  private let frameCount: Int
  private let code: Data
  private let hasher: PageHasher
  private var hash: PageSetHash
  /// The pages of the log that were not written yet, in any order.
  private var unwritten: [UInt32]
  /// The next page to look at for one that no transaction wrote.
  private var nextGap: UInt32
  private var gapCount = 0

  init(of log: LogFrames, state: DatabaseState, hasher: PageHasher, pageSize: Int) throws {
    locksPage = DatabaseFormat.locksPage(pageSize: pageSize)
    self.hasher = hasher
    pageCount = log.pageCount
    frameCount = log.count
    code = log.code
    // The pages that the hash leaves out already, because a checkpoint of this log is incomplete.
    var leftOut: Set<UInt32> = []
    var last: [UInt32: Int] = [:]
    for frame in 0..<log.count {
      let page = log.page(of: frame)
      last[page] = frame
      if state.isCheckpointing, frame < Int(state.frameCount) { leftOut.insert(page) }
    }
    for (page, frame) in last {
      pages[page] = LogPage(frame: frame, reserve: Data(log.reserve(of: frame)))
    }
    unwritten = last.keys.filter { $0 <= log.pageCount }
    var base = state
    base.isCheckpointing = true
    base.pageCount = min(state.pageCount, log.pageCount)
    var leaving = last.keys.filter { $0 <= state.pageCount }
    // The pages by which the database becomes shorter.
    if base.pageCount < state.pageCount {
      leaving += (base.pageCount + 1...state.pageCount).filter { last[$0] == nil }
    }
    for page in leaving where page != locksPage && !leftOut.contains(page) {
      base.hash.remove(
        try log.withReserve(inDatabaseOf: page) { hasher.hash(of: page, reserve: $0) })
    }
    // Without further pages, the state on the disk is right as it is.
    if base != state || leftOut.count != last.count {
      base.salts = log.salts
      base.frameCount = UInt32(log.count)
      base.code = log.code
      base.sequence += 1
    }
    self.base = base
    hash = base.hash
    nextGap = base.pageCount + 1
  }

  /// Returns true if a page may be written: it is the last one of the log, or zeros in a gap.
  mutating func allowsWrite(of page: UInt32, reserve: UnsafeRawBufferPointer) -> Bool {
    guard var known = pages[page] else {
      guard page + 1 == nextGap, page <= pageCount else { return false }
      hash.add(hasher.hash(of: page, reserve: reserve))
      gapCount += 1
      return true
    }
    guard known.reserve.elementsEqual(reserve) else { return false }
    guard !known.isWritten else { return true }
    known.isWritten = true
    pages[page] = known
    hash.add(hasher.hash(of: page, reserve: reserve))
    return true
  }

  /// Returns a page that must still be written, and its frame, or -1 for a page of zeros: no transaction
  /// wrote it, because it was made and freed, and what is there may be of an earlier database.
  mutating func missing() -> (page: UInt32, frame: Int)? {
    while let page = unwritten.last {
      if let known = pages[page], !known.isWritten { return (page, known.frame) }
      unwritten.removeLast()
    }
    while nextGap <= pageCount {
      let page = nextGap
      nextGap += 1
      if page != locksPage, pages[page] == nil { return (page, -1) }
    }
    return nil
  }

  /// The state after the checkpoint.
  func final(after sequence: UInt64) -> DatabaseState {
    var state = base
    state.sequence = sequence + 1
    state.isCheckpointing = false
    state.pageCount = pageCount
    state.hash = hash
    state.frameCount = UInt32(frameCount)
    state.code = code
    state.count(sealed: frameCount + gapCount)
    return state
  }
}
