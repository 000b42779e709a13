import AtRestFormats
import Foundation

/// The walk through one file and all that lies in it, on one thread.
final class FileWalk {
  let state: WalkState
  let queue: WorkQueue<FileTask>
  var reports: [FileReport] = []
  private(set) var problems: [WalkProblem] = []
  private(set) var furtherProblems = 0
  var rawBytes = 0
  /// The file that values are counted for.
  var current = 0
  /// What is still to be held in memory of files that lie within each other, in bytes.
  var heldLeft: Int
  private var decodedLeft: Int
  private var valuesLeft: Int
  private let deadline: ContinuousClock.Instant
  private var ticks = 0
  /// Once a limit is met, nothing more of the file is decoded or given.
  private(set) var isStopped = false

  static let problemLimit = 1000

  init(_ state: WalkState, _ queue: WorkQueue<FileTask>) {
    self.state = state
    self.queue = queue
    heldLeft = state.limits.heldBytes
    decodedLeft = state.limits.decodedBytesPerFile
    valuesLeft = state.limits.valuesPerFile
    deadline = min(state.deadline, .now + state.limits.timePerFile)
  }

  var limits: WalkLimits { state.limits }

  /// Where a value lies, and how many formats are around it.
  struct Place {
    var locator: Locator
    var depth: Int
    var name: String?
    var state = Item.State.live

    func at(_ step: Locator.Step, name: String? = nil) -> Place {
      Place(locator: locator.appending(step), depth: depth, name: name ?? self.name, state: state)
    }

    /// Detectors look at the name with each value, and reports print it.
    var shortName: String? { name.map { Locator.shortened($0, Locator.keyLimit) } }

    /// The inside of a format.
    var inside: Place { Place(locator: locator, depth: depth + 1, name: name, state: state) }
  }

  // MARK: Giving

  func give(_ content: Item.Content, _ place: Place) {
    guard mayGive(content, place) else { return }
    reports[current].values += 1
    state.visit(Item(place.locator, name: place.shortName, content, state: place.state))
  }

  /// Bytes as they lie there, besides what they mean.
  func giveRaw(_ bytes: [UInt8], _ place: Place) {
    state.visit(
      Item(place.locator, name: place.shortName, .bytes(bytes), state: place.state, isRaw: true))
  }

  private func mayGive(_ content: Item.Content, _ place: Place) -> Bool {
    if isStopped { return false }
    valuesLeft -= 1
    if valuesLeft < 0 {
      stop(place, "The values of a file beyond \(limits.valuesPerFile) are left out.")
      return false
    }
    // A small file can hold one long value a million times.
    let count =
      switch content {
      case .text(let text): text.utf8.count
      case .bytes(let bytes): bytes.count
      }
    ticks += 1 + count / 4096
    guard ticks >= 256 else { return true }
    ticks = 0
    return isInTime(place)
  }

  /// Whether time is left; to be asked wherever work is done without a value given.
  func isInTime(_ place: Place) -> Bool {
    if isStopped { return false }
    if .now < deadline { return true }
    stop(place, "It took too long; the rest of the file is left out.")
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
      // Names in hostile files are as long as the file.
      problems.append(WalkProblem(locator, Locator.shortened(reason)))
    } else {
      furtherProblems += 1
    }
  }

  func problem(_ place: Place, _ error: any Error) { problem(place, "\(error)") }

  /// How many bytes one packed value may become.
  var decodeLimit: Int { isStopped ? 0 : max(0, min(decodedLeft, heldLeft)) }

  /// Counts bytes that were decoded. When there are too many it says so, and ends the file.
  @discardableResult
  func countDecoded(_ count: Int, _ place: Place) -> Bool {
    decodedLeft -= count
    if decodedLeft < 0 {
      if !isStopped {
        stop(place, "More than \(limits.decodedBytesPerFile) bytes are packed in the file.")
      }
      return false
    }
    if !state.takeDecoded(count) {
      if !isStopped {
        stop(place, "More than \(limits.decodedBytes) bytes are packed in all the files.")
      }
      return false
    }
    return true
  }

  /// Whether a format may be opened at this depth; what lies deeper is said.
  func mayOpen(_ place: Place) -> Bool {
    if isStopped { return false }
    if place.depth < limits.depth { return true }
    problem(place, "Formats nested deeper than \(limits.depth) are not opened.")
    return false
  }

  /// Does something while bytes are held in memory.
  func holding(_ count: Int, _ body: () -> Void) {
    heldLeft -= count
    body()
    heldLeft += count
  }
}
