import NIOCore
import NIOPosix

/// The threads that answer requests. Requests that try a passcode have a thread of their own, so
/// they delay no others.
final class Workers: Sendable {
  private let usual: NIOThreadPool
  private let slow = NIOThreadPool(numberOfThreads: 1)

  /// - Parameter threads: The number of threads. Requests that wait for the user hold at most
  ///   ``Questioner/most`` of them.
  init(threads: Int = 4 + Questioner.most) {
    usual = NIOThreadPool(numberOfThreads: threads)
    usual.start()
    slow.start()
  }

  func run<Result: Sendable>(
    slow isSlow: Bool, on loop: any EventLoop, _ work: @escaping @Sendable () throws -> Result
  ) -> EventLoopFuture<Result> {
    (isSlow ? slow : usual).runIfActive(eventLoop: loop, work)
  }

  func stop() {
    try? usual.syncShutdownGracefully()
    try? slow.syncShutdownGracefully()
  }
}
