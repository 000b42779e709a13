import Synchronization

/// The process at the other end of a connection, which is examined when a request first needs it.
final class PeerIdentity: Sendable {
  let holder: Holder
  private let known: Mutex<Peer?>

  init(_ holder: Holder) {
    self.holder = holder
    known = Mutex(nil)
  }

  /// Creates the identity of a peer that is known.
  init(_ peer: Peer) {
    holder = Holder(user: peer.user, process: peer.process)
    known = Mutex(peer)
  }

  /// True if the process was examined.
  var isKnown: Bool { known.withLock { $0 != nil } }

  /// Examines the process.
  func examine(_ body: () throws -> Peer) rethrows {
    guard !isKnown else { return }
    let peer = try body()
    known.withLock { $0 = peer }
  }

  /// The process: only its user and number, until it was examined.
  var peer: Peer { known.withLock { $0 } ?? holder.peer }
}
