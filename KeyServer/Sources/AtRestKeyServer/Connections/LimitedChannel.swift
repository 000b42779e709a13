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
    guard connections.open(source, logger) else {
      channel.close(promise: nil)
      return channel.eventLoop.makeFailedFuture(TooManyConnections())
    }
    channel.closeFuture.whenComplete { [connections] _ in connections.close(source) }
    return base.setup(channel: channel, logger: logger)
  }

  func handle(value: Base.Value, logger: Logger) async {
    await base.handle(value: value, logger: logger)
  }

  /// The number of open connections of each network.
  private final class OpenConnections: Sendable {
    private struct Count {
      var open = 0
      var isReported = false
    }

    private let maximum: Int
    private let counts = Mutex<[RequestSource.Network: Count]>([:])

    init(maximum: Int) { self.maximum = maximum }

    /// Returns false if a network of a source has too many connections, which is logged once until all of them
    /// are closed.
    func open(_ source: RequestSource, _ logger: Logger) -> Bool {
      let (isOpen, isFirst) = counts.withLock { counts -> (Bool, Bool) in
        for network in source.networks {
          guard let count = counts[network], count.open >= maximum * network.share else { continue }
          counts[network]?.isReported = true
          return (false, !count.isReported)
        }
        for network in source.networks { counts[network, default: Count()].open += 1 }
        return (true, false)
      }
      if isFirst {
        logger.warning("too many connections", metadata: ["source": "\(source.address)"])
      }
      return isOpen
    }

    func close(_ source: RequestSource) {
      counts.withLock { counts in
        for network in source.networks {
          counts[network]?.open -= 1
          if counts[network]?.open == 0 { counts[network] = nil }
        }
      }
    }
  }
}
