import Foundation
import Synchronization

/// A number that grows with each lock of the store, and the connections whose answers a lock ends.
final class LockCount: Sendable {
  private let count = Atomic<UInt64>(0)
  private let connections = Mutex<[ObjectIdentifier: ProtectedConnection]>([:])

  /// The number, which is compared with what it was before. It says nothing about how often the store was locked.
  var number: UInt64 { count.load(ordering: .sequentiallyConsistent) }

  /// Counts a lock that begins: what began before it fails from now on.
  func begin() { count.add(1, ordering: .sequentiallyConsistent) }

  /// Counts a lock whose keys are erased, and ends the connections to which an answer is being sent. What began
  /// while the keys were being erased fails too.
  func end() {
    count.add(1, ordering: .sequentiallyConsistent)
    for connection in connections.withLock({ Array($0.values) }) { connection.cut() }
  }

  /// Returns a connection with a socket, until ``remove(_:)``.
  func connection(on socket: Int32) -> ProtectedConnection {
    let connection = ProtectedConnection(socket, self)
    connections.withLock { $0[ObjectIdentifier(connection)] = connection }
    return connection
  }

  /// Forgets a connection that has ended.
  func remove(_ connection: ProtectedConnection) {
    connections.withLock { $0[ObjectIdentifier(connection)] = nil }
  }
}

/// A connection that ends if the store is locked while an answer waits that a lock is to protect. Nothing that the
/// agent still has of such an answer is sent after the lock.
final class ProtectedConnection: Sendable {
  private enum State {
    case silent
    /// A write to the kernel is under way, of a part of the answer or of several.
    case writing
    /// The rest of the answer waits for the client. The descriptor is a copy of the socket's, because the number
    /// of a socket that SwiftNIO has closed may soon be that of another one.
    case waiting(Int32)
  }

  private let socket: Int32
  private let locks: LockCount
  private let state = Mutex(State.silent)

  fileprivate init(_ socket: Int32, _ locks: LockCount) {
    (self.socket, self.locks) = (socket, locks)
  }

  /// Begins to write an answer. Returns false if the store was locked since the number of locks was noted.
  ///
  /// A lock waits for what follows, up to ``keep()`` or ``end()``, so it must wait for nothing, and ask
  /// ``mayGoOn(since:)`` before each further part.
  func begin(since number: UInt64) -> Bool {
    state.withLock { state in
      guard number == locks.number else { return false }
      state = .writing
      return true
    }
  }

  /// Returns true if the store was not locked since the number of locks was noted.
  func mayGoOn(since number: UInt64) -> Bool { number == locks.number }

  /// Says that an answer that has not ended waits for the client. Returns false if a lock could not end it then.
  func keep() -> Bool {
    state.withLock { state in
      guard case .writing = state else { return true }
      let copy = fcntl(socket, F_DUPFD_CLOEXEC, 0)
      state = copy >= 0 ? .waiting(copy) : .silent
      return copy >= 0
    }
  }

  /// Ends an answer.
  func end() {
    state.withLock { state in
      if case .waiting(let copy) = state { close(copy) }
      state = .silent
    }
  }

  /// Ends the connection if an answer waits. SwiftNIO learns of it at its next write, and drops what it has.
  fileprivate func cut() {
    while true {
      let isDone = state.withLock { state in
        switch state {
        case .silent: return true
        case .writing: return false
        case .waiting(let copy):
          shutdown(copy, Int32(SHUT_RDWR))
          return true
        }
      }
      if isDone { return }
      usleep(20)
    }
  }
}
