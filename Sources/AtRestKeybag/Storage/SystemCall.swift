import AtRestCrypto
import Foundation

/// The cause of an error that occurs because the operating system, not the store, denied access.
package struct SystemDenial: Error {
  package init() {}
}

extension AtRestError {
  /// True if the operating system refused a call, for missing permissions or for another reason.
  package var isOfSystem: Bool { code == .system || cause is SystemDenial }
}

/// System calls that throw an error naming the attempted operation and the path.
package enum SystemCall {
  /// Returns the error of the call that just failed: ``AtRestError/Code/notPermitted`` or
  /// ``AtRestError/Code/system``.
  package static func error(_ verb: String, _ path: String) -> AtRestError {
    let number = errno
    if number == EACCES || number == EPERM {
      return AtRestError(
        .notPermitted, "You may not \(verb) \(path).",
        remedy: "Ask its owner for permission, or run as a user who has it.",
        cause: SystemDenial())
    }
    guard ![ENOSPC, EDQUOT].contains(number) else { return .fullDisk(path) }
    return AtRestError(
      .system, "Could not \(verb) \(path): \(String(cString: strerror(number))).",
      remedy: "Check the path, its permissions and the free space of its disk.")
  }

  package static func write(_ data: Data, to file: Int32, path: String) throws {
    try data.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.write(file, bytes.baseAddress! + offset, bytes.count - offset)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { throw error("write", path) }
        offset += count
      }
    }
  }

  package static func flushFolder(_ path: String) throws {
    let folder = SystemPath.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw error("open the folder", path) }
    defer { close(folder) }
    guard fsync(folder) == 0 else { throw error("flush the folder", path) }
  }
}
