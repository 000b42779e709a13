import AtRestFormats
import Foundation
import Synchronization

/// The attempts to open encrypted files with the values of their container.
struct KeySearch {
  /// The value that opened a file.
  struct Opening {
    let candidate: KeyCandidate
    let file: UnlockedFile
  }

  let candidates: KeyCandidates
  /// The time for all passphrases.
  let budget: Duration

  /// Tries all keys on each file, and the passphrases in the order of their likelihood while there is time. What
  /// opened one file is tried first on the next.
  func open(_ files: [any LockedFile]) -> [(opening: Opening?, tries: KeyTries)] {
    let needsKeys = files.contains { $0.keys == .ofKeySize }
    let keys = needsKeys ? candidates.keys : []
    var passphrases = candidates.passphrases
    let values = files.contains { $0.keys == .any } ? candidates.values : []
    var left = budget
    return files.enumerated().map { index, file in
      let certain =
        switch file.keys {
        case .none: [KeyCandidate]()
        case .ofKeySize: keys
        case .any: values
        }
      var tries = KeyTries(
        keys: certain.count,
        allPassphrases: file.takesPassphrases
          ? passphrases.count + candidates.dropped.passphrases : 0)
      if let opening = first(of: certain, until: nil, { try file.open(withKey: $0) }).found {
        return (opening, tries)
      }
      guard tries.allPassphrases > 0 else { return (nil, tries) }
      let start = ContinuousClock.now
      let end = start + left / (files.count - index)
      let result = first(of: passphrases, until: end) { try file.open(withPassphrase: $0) }
      left -= ContinuousClock.now - start
      tries.passphrases = result.tried
      if let winner = result.found?.candidate {
        passphrases.removeAll { $0.bytes == winner.bytes }
        passphrases.insert(winner, at: 0)
      }
      return (result.found, tries)
    }
  }

  /// Tries candidates on all cores, in order.
  ///
  /// - Parameter end: The time after which no further one is begun.
  private func first(
    of candidates: [KeyCandidate], until end: ContinuousClock.Instant?,
    _ attempt: @Sendable ([UInt8]) throws -> UnlockedFile?
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
          let candidate = candidates[index]
          guard let file = try? attempt(candidate.bytes) else { continue }
          let opening = Opening(candidate: candidate, file: file)
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
