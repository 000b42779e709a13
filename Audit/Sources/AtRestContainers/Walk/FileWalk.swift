import AtRestFormats
import Foundation

/// The walk through one file and everything in it, on one thread.
final class FileWalk {
  let state: WalkState
  let queue: WorkQueue<FileTask>
  var reports: [FileReport] = []
  private(set) var problems: [WalkProblem] = []
  private(set) var furtherProblems = 0
  var rawBytes = 0
  /// True if this is the walk through a piece of a file, whose report another walk has.
  var isPiece = false
  /// The places of a file in which something was found when its raw bytes were visited, in order, or
  /// nil if they were not visited.
  var found: (source: ByteSource, ranges: [Range<Int>])?
  /// True if pieces of the current file are visited as lines and as raw bytes together.
  var spreadsRaw = false
  /// The index of the file whose values are counted.
  var current = 0
  /// The number of bytes that nested files may still hold in memory.
  var heldLeft: Int
  private var decodedLeft: Int
  private var valuesLeft: Int
  private let deadline: ContinuousClock.Instant
  private var ticks = 0
  /// True after a limit was reached. Then nothing more of the file is decoded or visited.
  private(set) var isStopped = false

  /// The keys that were visited.
  private var keys: Set<String> = []

  static let problemLimit = 1000
  /// The maximum number of keys that are remembered.
  private static let keyLimit = 10_000

  init(_ state: WalkState, _ queue: WorkQueue<FileTask>) {
    self.state = state
    self.queue = queue
    heldLeft = state.limits.heldBytes
    decodedLeft = state.limits.decodedBytesPerFile
    valuesLeft = state.limits.valuesPerFile
    deadline = min(state.deadline, .now + state.limits.timePerFile)
  }

  var limits: WalkLimits { state.limits }

  /// The place of a value, and the number of formats around it.
  struct Place: Sendable {
    var locator: Locator
    var depth: Int
    var name: String?
    var state = Item.State.live
    /// The value of the column with the time of the row. nil outside of rows, and in those without one.
    var time: SQLiteValue?

    func at(_ step: Locator.Step, name: String? = nil) -> Place {
      var place = self
      place.locator = locator.appending(step)
      if let name { place.name = name }
      return place
    }

    /// The name for detectors, which use it with each value, and for reports, which print it.
    var shortName: String? { name.map { Locator.shortened($0, Locator.keyLimit) } }

    /// The place inside a format.
    var inside: Place {
      var place = self
      place.depth += 1
      return place
    }
  }

  // MARK: Giving

  func give(_ content: Item.Content, _ place: Place, wasSearched: Bool = false) {
    guard mayGive(content, place) else { return }
    reports[current].values += 1
    _ = state.visit(
      Item(
        place.locator, place.shortName, content, place.state, wasSearched: wasSearched,
        time: place.time))
  }

  /// Visits the key of a value. A key that occurs many times is visited the first time only.
  func give(key: String, _ place: Place) {
    guard key.utf8.count >= Canary.minimumLength, !isStopped, isNew(key: key) else { return }
    _ = state.visit(
      Item(place.at(.record("key")).locator, .text(key), state: place.state, isKey: true))
  }

  private func isNew(key: String) -> Bool {
    if keys.count >= Self.keyLimit { keys.removeAll(keepingCapacity: true) }
    return keys.insert(key).inserted
  }

  /// Visits raw bytes, in addition to the values in them. Returns the ranges in which something was
  /// found.
  @discardableResult
  func giveRaw(_ bytes: [UInt8], _ place: Place) -> [Range<Int>] {
    state.visit(
      Item(place.locator, name: place.shortName, .bytes(bytes), state: place.state, isRaw: true))
  }

  private func mayGive(_ content: Item.Content, _ place: Place) -> Bool {
    if isStopped { return false }
    valuesLeft -= 1
    if valuesLeft < 0 {
      stop(place, "Values of the file after the first \(limits.valuesPerFile) are skipped.")
      return false
    }
    // A small file can contain one long value a million times.
    let count =
      switch content {
      case .text(let text): text.utf8.count
      case .bytes(let bytes): bytes.count
      }
    ticks += 1 + count / 4096
    guard ticks >= 32 else { return true }
    ticks = 0
    return isInTime(place)
  }

  /// Returns true if there is time left. Call it in work that visits no values.
  func isInTime(_ place: Place) -> Bool {
    if isStopped { return false }
    if .now < deadline { return true }
    stop(place, "Reading took too long, so the rest of the file is skipped.")
    return false
  }

  private func stop(_ place: Place, _ reason: String) {
    isStopped = true
    problem(place, reason)
  }

  // MARK: Limits

  func problem(_ place: Place, _ reason: String) { problem(place.locator, reason) }

  func problem(_ locator: Locator, _ reason: String) {
    if problems.count < Self.problemLimit {
      // Names in hostile files may be as long as the file.
      problems.append(WalkProblem(locator, Locator.shortened(reason)))
    } else {
      furtherProblems += 1
    }
  }

  func problem(_ place: Place, _ error: any Error) { problem(place, "\(error)") }

  /// The maximum size of one unpacked value, in bytes.
  var decodeLimit: Int { isStopped ? 0 : max(0, min(decodedLeft, heldLeft)) }

  /// Counts decoded bytes. If there are too many, it reports a problem and stops reading the file.
  @discardableResult
  func countDecoded(_ count: Int, _ place: Place) -> Bool {
    decodedLeft -= count
    if decodedLeft < 0 {
      if !isStopped {
        stop(place, "The unpacked data of the file exceeds \(limits.decodedBytesPerFile) bytes.")
      }
      return false
    }
    if !state.takeDecoded(count) {
      if !isStopped {
        stop(place, "The unpacked data of all files exceeds \(limits.decodedBytes) bytes.")
      }
      return false
    }
    return true
  }

  /// Returns true if a format may be opened at this depth, and otherwise reports a problem.
  func mayOpen(_ place: Place) -> Bool {
    if isStopped { return false }
    if place.depth < limits.depth { return true }
    problem(place, "Formats nested deeper than \(limits.depth) levels are not opened.")
    return false
  }

  /// Calls `body` while bytes are held in memory.
  func holding(_ count: Int, _ body: () -> Void) {
    heldLeft -= count
    body()
    heldLeft += count
  }
}
