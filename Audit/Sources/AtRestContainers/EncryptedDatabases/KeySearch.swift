import AtRestFormats
import Crypto
import Foundation
import Synchronization

/// The attempts to open encrypted databases with the values of their container.
struct KeySearch {
  /// The value that opened a database.
  struct Opening {
    let candidate: KeyCandidate
    let pages: SQLCipherPages
    /// How the key was made of a passphrase, or nil if the value is the key.
    let derivation: SQLCipherFile.Derivation?
  }

  let candidates: KeyCandidates
  /// The time for all passphrases.
  let budget: Duration

  /// Tries all keys on each file, and the passphrases in the order of their likelihood while there is time. What
  /// opened one file is tried first on the next.
  func open(_ files: [SQLCipherFile]) -> [(opening: Opening?, tries: KeyTries)] {
    let keys = candidates.keys
    var passphrases = candidates.passphrases
    var left = budget
    return files.enumerated().map { index, file in
      var tries = KeyTries(
        keys: keys.count,
        allPassphrases: file.salt == nil ? 0 : passphrases.count + candidates.dropped.passphrases)
      if let opening = first(of: keys, until: nil, { try Self.try($0, on: file) }).found {
        return (opening, tries)
      }
      guard tries.allPassphrases > 0 else { return (nil, tries) }
      let start = ContinuousClock.now
      let end = start + left / (files.count - index)
      let result = first(of: passphrases, until: end) { try Self.try(passphrase: $0, on: file) }
      left -= ContinuousClock.now - start
      tries.passphrases = result.tried
      if let winner = result.found?.candidate {
        passphrases.removeAll { $0.bytes == winner.bytes }
        passphrases.insert(winner, at: 0)
      }
      return (result.found, tries)
    }
  }

  private static func `try`(_ candidate: KeyCandidate, on file: SQLCipherFile) throws -> Opening? {
    let key = SymmetricKey(data: candidate.bytes)
    return try file.layout(openedBy: key).map {
      Opening(candidate: candidate, pages: SQLCipherPages(layout: $0, key: key), derivation: nil)
    }
  }

  private static func `try`(
    passphrase candidate: KeyCandidate, on file: SQLCipherFile
  ) throws -> Opening? {
    for derivation in SQLCipherFile.Derivation.allCases {
      guard let key = try file.key(from: candidate.bytes, derivation),
        let layout = try file.layout(openedBy: key)
      else { continue }
      return Opening(
        candidate: candidate, pages: SQLCipherPages(layout: layout, key: key),
        derivation: derivation)
    }
    return nil
  }

  /// Tries candidates on all cores, in order.
  ///
  /// - Parameter end: The time after which no further one is begun.
  private func first(
    of candidates: [KeyCandidate], until end: ContinuousClock.Instant?,
    _ attempt: @Sendable (KeyCandidate) throws -> Opening?
  ) -> (found: Opening?, tried: Int) {
    let state = Mutex((next: 0, found: (index: Int, opening: Opening)?.none))
    let step = end == nil ? 256 : 1
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      while true {
        let range = state.withLock { state -> Range<Int> in
          let isOver = state.found != nil || end.map { ContinuousClock.now >= $0 } ?? false
          let start = state.next
          if !isOver { state.next = min(candidates.count, start + step) }
          return start..<(isOver ? start : state.next)
        }
        if range.isEmpty { return }
        for index in range {
          guard let opening = try? attempt(candidates[index]) else { continue }
          state.withLock {
            if $0.found.map({ index < $0.index }) ?? true { $0.found = (index, opening) }
          }
          break
        }
      }
    }
    return state.withLock { ($0.found?.opening, $0.next) }
  }
}
