import AtRestCrypto
import CAtRestSystem
import Foundation

/// A file in memory, for programs that read a secret from a path.
///
/// It has no name in any folder. It belongs to this process and to those that it starts, and ends
/// with the last of them.
enum SecretMemoryFile {
  /// Creates a file with a secret.
  ///
  /// - Returns: The path under which the processes that this one starts can read it.
  /// - Throws: ``AtRestError/Code/system``, also where the system has no such files.
  static func create(_ secret: borrowing SecretBytes) throws -> String {
    let file = secret.withUnsafeBytes { atrest_memory_file($0.baseAddress, $0.count) }
    guard file >= 0 else {
      throw AtRestError(
        .system, "Could not make a file in memory: \(String(cString: strerror(errno))).",
        remedy: "Pass the secret in a variable of the environment.")
    }
    return "/dev/fd/\(file)"
  }
}
