import AtRestCrypto
import AtRestKeybag
import Foundation

/// A lock beside a file that is replaced as a whole. The file of the lock exists only while it is held, or until the
/// next opening or change if its process was killed, and then keeps nobody waiting.
enum CompanionLock {
  /// The end of the lock's name, after that of the file. Nobody gives such a name to another file.
  static let suffix = ".atrest-lock"
  private static let patience = Duration.seconds(30)

  /// Runs a closure while no other thread or process has the lock.
  ///
  /// - Throws: ``AtRestError/Code/busy`` if the lock is held for too long; the errors of making the file.
  static func exclusively<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    let file = try taken(path, before: .now + patience)
    defer {
      SystemPath.remove(path)
      // A child process that is being started has the descriptor too.
      flock(file, LOCK_UN)
      close(file)
    }
    return try body()
  }

  /// Removes the lock of a process that was killed, if this process may.
  static func removeLeftover(_ path: String) {
    let file = SystemPath.open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return }
    defer { close(file) }
    var status = stat()
    // A lock is an empty file. Another file of this name is somebody's.
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size == 0,
      flock(file, LOCK_EX | LOCK_NB) == 0
    else { return }
    if isInPlace(file, path) { SystemPath.remove(path) }
    flock(file, LOCK_UN)
  }

  private static func taken(_ path: String, before end: ContinuousClock.Instant) throws -> Int32 {
    var pause: UInt32 = 500
    while true {
      let file = SystemPath.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else {
        let number = errno
        guard number == EACCES, SystemPath.status(path, followingLinks: false) != nil else {
          errno = number
          // The lock exists for a moment only, so its name helps nobody.
          throw SystemCall.error("make a lock beside", String(path.dropLast(suffix.count)))
        }
        throw AtRestError(
          .notPermitted, "The lock \(path) belongs to another user.",
          remedy: "Wait for the process that holds it to end. If there is none, remove the file.")
      }
      if flock(file, LOCK_EX | LOCK_NB) == 0 {
        if isInPlace(file, path) { return file }
        // Its owner removed it meanwhile.
        close(file)
        continue
      }
      let number = errno
      close(file)
      guard number == EWOULDBLOCK || number == EINTR else {
        errno = number
        throw SystemCall.error("lock", path)
      }
      guard ContinuousClock.now < end else {
        throw AtRestError(
          .busy, "\(path) has been locked by another thread or process for too long.",
          remedy: "Wait for that process to end, or end it if it hangs. Then try again.")
      }
      usleep(pause)
      pause = min(2 * pause, 50_000)
    }
  }

  private static func isInPlace(_ file: Int32, _ path: String) -> Bool {
    var own = stat()
    guard fstat(file, &own) == 0, let found = SystemPath.status(path, followingLinks: false)
    else { return false }
    return own.st_dev == found.st_dev && own.st_ino == found.st_ino
  }
}
