import AtRestCrypto
import Foundation
import Synchronization

/// The sockets that this process bound to paths.
///
/// Programs find the agent by its path. If another file is there, or none, no program reaches this agent any
/// more, and no other agent can serve its store.
final class BoundSockets: Sendable {
  private struct Bound {
    let path: String
    /// The file of the socket, which is held so that no other file gets its number.
    let file: Int32
    /// The descriptor of the lock that keeps other agents from the path.
    let lock: Int32

    /// False if the path leads elsewhere or nowhere. A path that cannot be examined for another reason
    /// proves nothing.
    var isInPlace: Bool {
      var (status, own) = (stat(), stat())
      guard lstat(path, &status) == 0 else { return ![ENOENT, ENOTDIR, ELOOP].contains(errno) }
      return fstat(file, &own) == 0 && status.st_dev == own.st_dev && status.st_ino == own.st_ino
    }
  }

  private let bound = Mutex<[Bound]>([])

  /// Binds a socket to a path, and returns its descriptor, which the caller closes.
  ///
  /// - Throws: The errors of ``AgentListener/prepare(_:)`` and ``AgentListener/bound(to:)``.
  func bind(to path: String) throws -> Int32 {
    let lock = try AgentListener.prepare(path)
    do {
      let file = try AgentListener.bound(to: path)
      // This is O_PATH, which Swift does not import.
      let held = open(path, 0o10_000_000 | O_NOFOLLOW | O_CLOEXEC)
      guard held >= 0 else {
        close(file)
        throw AtRestError(
          .system, "The socket \(path) was removed at once.", remedy: "Choose another path.")
      }
      bound.withLock { $0.append(Bound(path: path, file: held, lock: lock)) }
      return file
    } catch {
      close(lock)
      throw error
    }
  }

  /// The path of a socket that was removed or replaced, or nil if all are at their places.
  var lost: String? { bound.withLock { $0.first { !$0.isInPlace }?.path } }

  /// Removes the sockets that are still at their places, and lets other agents have the paths.
  func removeAll() {
    bound.withLock { all in
      for entry in all {
        // The file of another program stays.
        if entry.isInPlace { unlink(entry.path) }
        close(entry.file)
        close(entry.lock)
      }
      all = []
    }
  }
}
