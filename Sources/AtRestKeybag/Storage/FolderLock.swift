import AtRestCrypto
import Dispatch
import Foundation

/// A lock in a file, held by one thread of one process at a time.
///
/// Nobody waits for it for ever: a process that was stopped while it holds the lock makes others fail
/// with ``AtRestError/Code/busy``.
package final class FolderLock: Sendable {
  /// How long others wait where nothing else is said.
  package static let usualPatience = Duration.seconds(30)

  private let name: String
  private let folder: @Sendable () throws -> OpenFolder
  private let path: String
  private let patience: Duration
  // Threads of one process take their turn here first, which costs no system call.
  private let threads = DispatchSemaphore(value: 1)

  /// - Parameters:
  ///   - name: The file, which is made where it is missing.
  ///   - path: The file's path, for messages.
  ///   - folder: Opens its folder.
  init(
    _ name: String, path: String, patience: Duration,
    in folder: @escaping @Sendable () throws -> OpenFolder
  ) {
    self.name = name
    self.path = path
    self.patience = patience
    self.folder = folder
  }

  /// Runs a piece of work while the lock is held.
  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + patience
    let nanoseconds = max(0, min(patience / .nanoseconds(1), 1e15))
    guard threads.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else {
      throw busy
    }
    defer { threads.signal() }
    let file = try open()
    defer { close(file) }
    var pause: UInt32 = 500
    while try !isTaken(file) {
      guard ContinuousClock.now < end else { throw busy }
      usleep(pause)
      pause = min(pause * 2, 50_000)
    }
    return try body()
  }

  private func isTaken(_ file: Int32) throws -> Bool {
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return false }
      throw SystemCall.error("lock", path)
    }
    return true
  }

  private func open() throws -> Int32 {
    let file = try PrivateFile.open(name, in: folder(), flags: O_RDWR | O_CREAT)
    guard let file else { throw SystemCall.error("open", path) }
    return file.descriptor
  }

  private var busy: AtRestError {
    AtRestError(
      .busy, "\(path) has been locked by another thread or process for too long.",
      remedy: "Let that process end, or end it if it hangs, and try again.")
  }
}
