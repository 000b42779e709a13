import AtRestCrypto
import Dispatch
import Foundation

/// A file lock, held by one thread of one process at a time.
///
/// Waiting for the lock always ends: if a process is suspended while it holds the lock, others fail
/// with ``AtRestError/Code/busy``.
package final class FolderLock: Sendable {
  /// The default time to wait for the lock.
  package static let usualPatience = Duration.seconds(30)

  private let name: String
  private let folder: @Sendable () throws -> OpenFolder
  private let path: String
  private let patience: Duration
  // Threads of the same process first wait for this semaphore, without calls to the file system.
  private let threads = DispatchSemaphore(value: 1)

  /// Creates a lock.
  ///
  /// - Parameters:
  ///   - name: The name of the file, which is created if it is missing.
  ///   - path: The path of the file, for messages.
  ///   - folder: A closure that opens the folder.
  init(
    _ name: String, path: String, patience: Duration,
    in folder: @escaping @Sendable () throws -> OpenFolder
  ) {
    self.name = name
    self.path = path
    self.patience = patience
    self.folder = folder
  }

  /// Runs a closure while holding the lock.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if the lock is held elsewhere for too long; the errors
  ///   of opening or locking the file; the error of `body`.
  package func exclusively<Result: ~Copyable>(_ body: () throws -> Result) throws -> Result {
    let end = ContinuousClock.now + patience
    let nanoseconds = max(0, min(patience / .nanoseconds(1), 1e15))
    guard threads.wait(timeout: .now() + .nanoseconds(Int(nanoseconds))) == .success else {
      throw busy
    }
    defer { threads.signal() }
    let file = try taken(before: end)
    defer {
      // A child process that is being started has the descriptor too, so closing it here is not enough.
      flock(file, LOCK_UN)
      close(file)
    }
    return try body()
  }

  /// Returns the descriptor of the file, open and locked.
  private func taken(before end: ContinuousClock.Instant) throws -> Int32 {
    var pause: UInt32 = 500
    while true {
      let folder = try folder()
      let file = try open(in: folder)
      do {
        while try !isTaken(file) {
          guard ContinuousClock.now < end else { throw busy }
          usleep(pause)
          pause = min(pause * 2, 50_000)
        }
        if try isInPlace(file, in: folder) { return file }
        guard ContinuousClock.now < end else { throw busy }
      } catch {
        close(file)
        throw error
      }
      close(file)
    }
  }

  /// Returns false if the file was removed or replaced while this thread waited for it. In that
  /// case, the lock is on a file that no longer has this name.
  private func isInPlace(_ file: Int32, in folder: OpenFolder) throws -> Bool {
    var own = stat()
    guard fstat(file, &own) == 0 else { throw SystemCall.error("inspect", path) }
    guard let found = folder.status(of: name) else {
      guard errno == ENOENT else { throw SystemCall.error("inspect", path) }
      return false
    }
    return own.st_dev == found.st_dev && own.st_ino == found.st_ino
  }

  private func isTaken(_ file: Int32) throws -> Bool {
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      if errno == EINTR { continue }
      if errno == EWOULDBLOCK { return false }
      throw SystemCall.error("lock", path)
    }
    return true
  }

  private func open(in folder: OpenFolder) throws -> Int32 {
    let file = try PrivateFile.open(name, in: folder, flags: O_RDWR | O_CREAT)
    guard let file else { throw SystemCall.error("open", path) }
    return file.descriptor
  }

  private var busy: AtRestError {
    AtRestError(
      .busy, "\(path) has been locked by another thread or process for too long.",
      remedy: "Wait for that process to end, or end it if it hangs. Then try again.")
  }
}
