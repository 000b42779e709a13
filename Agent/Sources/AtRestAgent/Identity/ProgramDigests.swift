@_spi(Tools) import AtRestCrypto
import Crypto
import Foundation
import Synchronization

/// The digests of programs, which are computed when a grant needs them, and once for each state of a
/// file.
///
/// A file system may never give the contents of a program. Each is read on a thread of its own, for which the
/// others wait for some seconds at most, and only a few at the same time. Local file systems have places of their
/// own.
package final class ProgramDigests: Sendable {
  private typealias FileState = RunningProgram.FileState

  private struct Reading {
    let isLocal: Bool
    /// True if somebody has waited in vain.
    var isSlow = false
  }

  private struct State {
    var known: [FileState: String] = [:]
    /// The programs that are being read.
    var reading: [FileState: Reading] = [:]
  }

  /// The size of the largest program that has a digest. A file with a hole may claim any size.
  static let largest: Int64 = 256 << 20
  private static let mostKnown = 1024
  private static let mostReading = 4

  private let patience: TimeInterval
  private let news = NSCondition()
  private let state = Mutex(State())

  /// Creates an empty collection.
  package convenience init() { self.init(patience: 5) }

  /// - Parameter patience: The seconds to wait for a digest.
  init(patience: TimeInterval) { self.patience = patience }

  /// The number of programs that are being read.
  var readingCount: Int { state.withLock { $0.reading.count } }

  /// Returns the digest of a program if it was computed before.
  func known(of program: RunningProgram) -> String? { state.withLock { $0.known[program.file] } }

  /// Returns the SHA-256 digest of a program. Returns nil if the file has changed since the process was
  /// examined, is too large, or cannot be read in time.
  func digest(of program: RunningProgram) -> String? {
    if let digest = known(of: program) { return digest }
    guard program.file.size <= Self.largest else { return nil }
    let end = Date(timeIntervalSinceNow: patience)
    let isLocal = LocalDevices.contain(program.file.device)
    news.lock()
    defer { news.unlock() }
    var hasStarted = false
    while true {
      let (digest, isReading, isSlow, isFree) = state.withLock { state in
        let reading = state.reading[program.file]
        return (
          state.known[program.file], reading != nil, reading?.isSlow == true,
          state.reading.values.count { $0.isLocal == isLocal } < Self.mostReading
        )
      }
      if digest != nil || isSlow || hasStarted && !isReading { return digest }
      if !isReading, isFree {
        hasStarted = true
        state.withLock { $0.reading[program.file] = Reading(isLocal: isLocal) }
        Thread.detachNewThread { [self] in finish(program, Self.contents(of: program)) }
      }
      guard news.wait(until: end) else {
        // Whoever asks for this program next does not wait.
        state.withLock { $0.reading[program.file]?.isSlow = true }
        return nil
      }
    }
  }

  private func finish(_ program: RunningProgram, _ digest: String?) {
    news.lock()
    state.withLock { state in
      state.reading[program.file] = nil
      guard let digest else { return }
      if state.known.count >= Self.mostKnown { state.known.removeAll() }
      state.known[program.file] = digest
    }
    news.broadcast()
    news.unlock()
  }

  private static func contents(of program: RunningProgram) -> String? {
    let file = open(program.path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, FileState(status) == program.file else { return nil }
    return digest(of: file, program.file.size)
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
    return hash.finalize().hexadecimal
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
