import HummingbirdCore
import Logging
import NIOCore
import Synchronization

/// Closes the connections of a source that has too many already.
struct LimitedChannel<Base: ServerChildChannel>: ServerChildChannel {
  private let base: Base
  private let connections: OpenConnections

  struct TooManyConnections: Error {}

  init(_ base: Base, maximum: Int) {
    self.base = base
    connections = OpenConnections(maximum: maximum)
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
    let source = RequestSource(channel.remoteAddress)
    guard connections.open(source) else {
      logger.warning("too many connections", metadata: ["source": "\(source.address)"])
      channel.close(promise: nil)
      return channel.eventLoop.makeFailedFuture(TooManyConnections())
    }
    channel.closeFuture.whenComplete { [connections] _ in connections.close(source) }
    return base.setup(channel: channel, logger: logger)
  }

  func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }

  /// The number of open connections of each source.
  private final class OpenConnections: Sendable {
    private let maximum: Int
    private let counts = Mutex<[RequestSource: Int]>([:])

    init(maximum: Int) { self.maximum = maximum }

    func open(_ source: RequestSource) -> Bool {
      counts.withLock { counts in
        guard counts[source, default: 0] < maximum else { return false }
        counts[source, default: 0] += 1
        return true
      }
    }

    func close(_ source: RequestSource) {
      counts.withLock { counts in
        let rest = (counts[source] ?? 1) - 1
        counts[source] = rest == 0 ? nil : rest
      }
    }
  }
}
