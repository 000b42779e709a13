import Synchronization

/// The process at the other end of a connection. It was seen when it connected, and is judged when a
/// request first needs it.
final class PeerIdentity: Sendable {
  private let unjudged: Peer
  private let judged: Mutex<Peer?>
  private let seen: SeenProcess?

  init(_ seen: SeenProcess) {
    self.seen = seen
    unjudged = seen.holder.peer
    judged = Mutex(nil)
  }

  /// Creates the identity of a peer that is known.
  init(_ peer: Peer) {
    seen = nil
    unjudged = peer
    judged = Mutex(peer)
  }

  /// The one for whom memory is held.
  var holder: Holder { seen?.holder ?? Holder(user: unjudged.user, process: unjudged.process) }

  /// True if the process was judged.
  var isKnown: Bool { judged.withLock { $0 != nil } }

  /// Judges the process, unless the closure returns nil.
  func judge(_ body: (SeenProcess) -> Peer?) {
    guard let seen, !isKnown, let peer = body(seen) else { return }
    judged.withLock { $0 = peer }
  }

  /// The process: only its user and number, until it was judged.
  var peer: Peer { judged.withLock { $0 } ?? unjudged }
}
