import Foundation
import NIOCore
import NIOPosix

/// A descriptor that is closed when its last owner releases it.
final class OpenDescriptor: Sendable {
  let number: Int32

  init(_ number: Int32) { self.number = number }

  /// Duplicates the descriptor of a channel, on the channel's thread. Returns nil if it is closed.
  init?(of channel: any Channel) {
    let own: Int32? = try? channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(
      of: NIOBSDSocket.Handle.self
    ) { fcntl($0, F_DUPFD_CLOEXEC, 0) }
    guard let own, own >= 0 else { return nil }
    number = own
  }

  deinit { close(number) }
}
