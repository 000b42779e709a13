import AtRestCrypto
import AtRestKeybag
import Foundation

/// A file that is written beside another, and then takes its place at once, or never.
///
/// For one thread. Removes what it wrote where it is let go of without ``commit(overwriting:)``.
package final class ReplacementFile {
  private let path: String
  private let temporary: String
  private let descriptor: Int32
  private var isCommitted = false

  /// Makes the file, empty.
  ///
  /// - Parameter mode: Its permissions, less those that the process's mask takes away. The default
  ///   hides it until ``takeOwnerAndMode(of:)``.
  package init(of path: String, mode: mode_t = 0o600) throws {
    self.path = path
    temporary = "\(path).new-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { throw PathError.current("create", temporary) }
  }

  deinit {
    // Negative where it was never made.
    guard descriptor >= 0 else { return }
    close(descriptor)
    if !isCommitted { unlink(temporary) }
  }

  package func write(_ data: Data) throws {
    try SystemCall.write(data, to: descriptor, path: temporary)
  }

  /// Takes on permissions and, where the system allows it, the owner.
  package func takeOwnerAndMode(of status: stat) throws {
    var mode = status.st_mode & 0o7777
    var own = stat()
    guard fstat(descriptor, &own) == 0 else { throw SystemCall.error("inspect", temporary) }
    if own.st_uid != status.st_uid || own.st_gid != status.st_gid,
      fchown(descriptor, status.st_uid, status.st_gid) != 0
    {
      // With another owner these would give another power.
      mode &= 0o1777
      if fchown(descriptor, uid_t.max, status.st_gid) != 0 {
        // Another group may do no more than everyone may.
        mode &= 0o1707 | (mode & 0o007) << 3
      }
    }
    guard fchmod(descriptor, mode) == 0 else {
      throw SystemCall.error("set the permissions of", temporary)
    }
  }

  /// Puts the file in its place; durable when it returns.
  ///
  /// - Parameter overwriting: Whether a file that is there is replaced.
  /// - Throws: ``AtRestError/Code/duplicate`` where one is there and must stay.
  package func commit(overwriting: Bool = true) throws {
    guard fsync(descriptor) == 0 else { throw SystemCall.error("flush", temporary) }
    if overwriting {
      guard rename(temporary, path) == 0 else { throw PathError.current("replace", path) }
      isCommitted = true
    } else {
      // Unlike rename, link leaves what is there. The first name goes in `deinit`.
      guard link(temporary, path) == 0 else {
        throw errno == EEXIST ? Self.duplicate(path) : PathError.current("create", path)
      }
    }
    try SystemCall.flushFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  private static func duplicate(_ path: String) -> AtRestError {
    AtRestError(
      .duplicate, "There is a file \(path) already.", remedy: "Remove it, or choose another name.")
  }
}
