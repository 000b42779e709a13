import AtRestFormats
import Synchronization

/// The shared state of a walk's threads. Thread-safe.
final class WalkState: Sendable {
  let walk: ContainerWalk
  let visit: ContainerWalk.Visitor
  let deadline: ContinuousClock.Instant
  private let decodedBytes = Atomic<Int>(0)
  private let files = Atomic<Int>(0)
  private let pictureBytes = Atomic<Int>(0)
  /// The number of values in the pieces of each large file.
  private let pieces = Mutex<[Locator: Int]>([:])
  private let result = Mutex(WalkSummary())

  init(_ walk: ContainerWalk, _ visit: @escaping ContainerWalk.Visitor) {
    self.walk = walk
    self.visit = visit
    deadline = .now + walk.limits.time
  }

  var limits: WalkLimits { walk.limits }

  /// The number of files that the walk may still accept.
  var filesLeft: Int { max(0, limits.files - files.load(ordering: .relaxed)) }

  func countFiles(_ count: Int) { files.add(count, ordering: .relaxed) }

  /// Counts decoded bytes. Returns true if they are within the limit.
  func takeDecoded(_ count: Int) -> Bool {
    decodedBytes.add(count, ordering: .relaxed).newValue <= limits.decodedBytes
  }

  /// The number of bytes that may still be decoded.
  var decodedLeft: Int { max(0, limits.decodedBytes - decodedBytes.load(ordering: .relaxed)) }

  /// Counts a picture's size. Returns true if the picture may be kept.
  func takePicture(_ count: Int) -> Bool {
    pictureBytes.add(count, ordering: .relaxed).newValue <= limits.pictureBytes
  }

  func add(_ problems: [WalkProblem]) {
    result.withLock { result in
      let room = max(0, limits.problems - result.problems.count)
      result.problems += problems.prefix(room)
      result.furtherProblems += max(0, problems.count - room)
    }
  }

  func add(_ file: FileWalk) {
    add(file.problems)
    if file.isPiece {
      pieces.withLock { pieces in
        for report in file.reports { pieces[report.locator, default: 0] += report.values }
      }
    }
    result.withLock { result in
      if !file.isPiece { result.files += file.reports }
      result.rawBytes += file.rawBytes
      result.furtherProblems += file.furtherProblems
      for report in file.reports { result.values += report.values }
    }
  }

  var summary: WalkSummary {
    var summary = result.withLock { $0 }
    summary.decodedBytes = decodedBytes.load(ordering: .relaxed)
    let pieces = pieces.withLock { $0 }
    if !pieces.isEmpty {
      for index in summary.files.indices {
        summary.files[index].values += pieces[summary.files[index].locator] ?? 0
      }
    }
    // Each description is built once, because a sort that built them took longer than the walk.
    summary.files = summary.files.map { ($0.locator.description, $0) }.sorted { $0.0 < $1.0 }
      .map(\.1)
    summary.problems = summary.problems.map { (($0.locator.description, $0.reason), $0) }
      .sorted { $0.0 < $1.0 }.map(\.1)
    return summary
  }
}
