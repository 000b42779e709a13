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
    let device: dev_t
    let inode: ino_t
    /// The descriptor of the lock that keeps other agents from the path.
    let lock: Int32

    /// False if the path leads elsewhere or nowhere. A path that cannot be examined for another reason
    /// proves nothing.
    var isInPlace: Bool {
      var status = stat()
      guard lstat(path, &status) == 0 else { return ![ENOENT, ENOTDIR, ELOOP].contains(errno) }
      return status.st_dev == device && status.st_ino == inode
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
      // The number of the file stays its own as long as the socket is open.
      var status = stat()
      guard lstat(path, &status) == 0 else {
        close(file)
        throw AtRestError(
          .system, "The socket \(path) was removed at once.", remedy: "Choose another path.")
      }
      let entry = Bound(path: path, device: status.st_dev, inode: status.st_ino, lock: lock)
      bound.withLock { $0.append(entry) }
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
        close(entry.lock)
      }
      all = []
    }
  }
}
