import NIOCore

/// The threads that answer requests, by what the answers take.
final class Workers: Sendable {
  /// The memory of requests that are not complete, of those that wait for a thread, and of answers that are
  /// not read.
  let requests = Budget(most: 16 << 20, mostOfOne: 4 << 20)
  let queued = Budget(most: 16 << 20, mostOfOne: 4 << 20)
  let answers = Budget(most: 24 << 20, mostOfOne: 12 << 20)
  /// The memory of large messages that are passed on between clients and other programs, and their descriptors.
  let passed = Budget(most: 64 << 20, mostOfOne: 8 << 20, divisor: 8)
  let passedDescriptors = Budget(most: 512, mostOfOne: 64, divisor: 8)
  let gate = QuickGate()

  private let lock = Lane("lock", threads: 1)
  private let status = Lane("status", threads: 1)
  private let identification = Lane("identify", threads: 2, mostOfOne: 1)
  /// For programs on a file system that has to be asked. If it does not answer, only others of this kind wait.
  private let slowIdentification = Lane("identify slowly", threads: 4, mostOfOne: 1)
  private let usual: Lane
  // Both may be kept busy for long. The processors are for others first.
  private let log = Lane("log", threads: 1, yields: true)
  private let large = Lane("large", threads: 1, yields: true)
  private let slow = Lane("passcode", threads: 1)

  /// Requests that wait for the user hold at most ``Questioner/most`` threads.
  init() {
    let threads = 6 + Questioner.most
    usual = Lane("requests", threads: threads, mostOfOne: threads / 2)
  }

  /// Judges the process of a connection.
  ///
  /// - Parameter mayWait: True if this may wait for a file system.
  func identify(
    for holder: Holder, mayWait: Bool, on loop: any EventLoop,
    _ body: @escaping @Sendable () -> Void
  ) -> EventLoopFuture<Void> {
    (mayWait ? slowIdentification : identification).run(for: holder, on: loop, body)
  }

  /// Carries out a request.
  func run<Result: Sendable>(
    _ work: FrameWork, for holder: Holder, on loop: any EventLoop,
    _ body: @escaping @Sendable () throws -> Result
  ) -> EventLoopFuture<Result> {
    let gate = gate
    let lane =
      switch work {
      case .none, .lock, .join: lock
      case .log: log
      case .status: status
      case .quick: gate.expectsLarge ? large : usual
      case .usual: usual
      case .large: large
      case .slow: slow
      }
    // A lock never waits, and only a database makes others wait.
    if work == .lock || work == .status { return lane.run(for: holder, on: loop, body) }
    return lane.run(for: holder, on: loop) { try gate.work(body) }
  }

  func stop() {
    for lane in [lock, status, identification, slowIdentification, usual, log, large, slow] {
      lane.stop()
    }
  }
}
