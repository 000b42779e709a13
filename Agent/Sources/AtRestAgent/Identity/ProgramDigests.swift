import Crypto
import Foundation
import Synchronization

/// The digests of programs, which are computed once for each state of a file.
public final class ProgramDigests: Sendable {
  private struct FileState: Hashable {
    let device: UInt64
    let number: UInt64
    let size: Int64
    let modified: Int64
    let changed: Int64
  }

  private let known = Mutex<[FileState: String]>([:])
  private static let mostKnown = 1024

  /// Creates an empty collection.
  public init() {}

  /// Returns the path and the SHA-256 digest of the program to which a link in `/proc` leads.
  func program(of link: String) -> String? {
    var target = [CChar](repeating: 0, count: 4096)
    let count = readlink(link, &target, target.count)
    guard count > 0, count < target.count else { return nil }
    let path = String(
      decoding: target[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // The file is opened through the link, so it is the one that runs, whatever its path has now.
    let file = open(link, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    let state = FileState(
      device: UInt64(status.st_dev), number: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: Int64(modified.tv_sec) &* 1_000_000_000 &+ Int64(modified.tv_nsec),
      changed: Int64(changed.tv_sec) &* 1_000_000_000 &+ Int64(changed.tv_nsec))
    if let digest = known.withLock({ $0[state] }) { return "\(path) \(digest)" }
    guard let digest = Self.digest(of: file) else { return nil }
    known.withLock {
      if $0.count >= Self.mostKnown { $0.removeAll() }
      $0[state] = digest
    }
    return "\(path) \(digest)"
  }

  private static func digest(of file: Int32) -> String? {
    var hash = SHA256()
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(file, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { break }
      buffer.withUnsafeBytes { hash.update(bufferPointer: .init(rebasing: $0[..<count])) }
    }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }
}
