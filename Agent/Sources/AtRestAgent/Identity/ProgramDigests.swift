import Crypto
import Foundation
import Synchronization

/// The digests of programs, which are computed when a grant needs them, and once for each state of a
/// file.
public final class ProgramDigests: Sendable {
  /// The size of the largest program that has a digest. A file with a hole may claim any size.
  static let largest: Int64 = 256 << 20
  private static let mostKnown = 1024

  private let known = Mutex<[RunningProgram.FileState: String]>([:])

  /// Creates an empty collection.
  public init() {}

  /// Returns the digest of a program if it was computed before.
  func known(of program: RunningProgram) -> String? { known.withLock { $0[program.file] } }

  /// Returns the SHA-256 digest of a program. Returns nil if the file has changed since the process was
  /// examined, or is too large.
  func digest(of program: RunningProgram) -> String? {
    if let digest = known(of: program) { return digest }
    guard program.file.size <= Self.largest else { return nil }
    let file = open(program.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, RunningProgram.FileState(status) == program.file,
      let digest = Self.digest(of: file, program.file.size)
    else { return nil }
    known.withLock {
      if $0.count >= Self.mostKnown { $0.removeAll() }
      $0[program.file] = digest
    }
    return digest
  }

  private static func digest(of file: Int32, _ size: Int64) -> String? {
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total: Int64 = 0
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      total += Int64(count)
      guard total <= size else { return nil }
      buffer.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
    }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }
}

extension RunningProgram.FileState {
  init(_ status: stat) {
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
      changed: Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec))
  }
}
