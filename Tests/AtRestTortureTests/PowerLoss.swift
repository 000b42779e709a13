import Foundation

/// All states that a disk may have if power is lost at some moment of a recording.
struct PowerLoss {
  /// One power loss.
  struct Case {
    /// The number of events before it.
    let moment: Int
    let answered: Int
    let bytes: Disk.Kept
    let keepsNames: Bool
    let state: DiskState
  }

  let events: [FileEvent]
  private(set) var cases: [Case] = []

  /// - Parameters:
  ///   - start: The folder as it was before the recording.
  ///   - seeds: The number of random selections of kept sectors at each moment.
  init(
    _ scenario: PowerScenario, start: Disk, events: [FileEvent], seeds: UInt64
  ) throws {
    self.events = events
    var disk = start
    var seen: Set<Data> = []
    for moment in 0...events.count {
      if moment > 0 { try disk.apply(events[moment - 1]) }
      let answered = scenario.answered(events[..<moment])
      let ways: [Disk.Kept] =
        [.nothing, .everything]
        + (0..<seeds).map { .sectors(seed: UInt64(moment) << 8 | $0) }
      for bytes in ways {
        for keepsNames in [false, true] {
          let state = disk.afterPowerLoss(keepingNames: keepsNames, bytes: bytes)
          // The same files after another answer are another case.
          guard seen.insert(state.digest + [UInt8(answered)]).inserted else { continue }
          cases.append(
            Case(
              moment: moment, answered: answered, bytes: bytes, keepsNames: keepsNames,
              state: state))
        }
      }
    }
  }

  /// Returns some of the cases, evenly spread.
  func sample(_ count: Int) -> [Case] {
    guard cases.count > count else { return cases }
    return (0..<count).map { cases[$0 * cases.count / count] }
  }

  /// Returns the faults of some of the cases, in words.
  func faults(_ scenario: PowerScenario, in cases: [Case]) throws -> [String] {
    try cases.compactMap { lost in
      let fault = try scenario.fault(answered: lost.answered) {
        let scratch = try Scratch(in: Scratch.memory)
        try lost.state.write(to: scratch.folder)
        return scratch
      }
      guard let fault else { return nil }
      let last = lost.moment > 0 ? events[lost.moment - 1].words : "the start"
      return "after \(lost.moment) (\(last)), \(lost.answered) answered, bytes \(lost.bytes), "
        + "names \(lost.keepsNames ? "kept" : "lost"): \(fault)"
    }
  }
}
