@_spi(Tools) import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization

/// A pipe or a Unix socket of an application, to which its secret is written.
///
/// The application has the other end, and must not keep the agent waiting, as it could with a file on a file system
/// of its own.
struct SecretReceiver: Sendable {
  /// The result of a write.
  enum Outcome {
    case given
    /// The store was locked since the request. Nothing is written.
    case tooLate
    /// The receiver does not take the secret at once. Nothing is written.
    case refused
    /// An earlier write for the application has not ended, or there is no room for another one. Nothing is written.
    case busy
  }

  /// The size up to which a pipe takes a secret whole or not at all.
  private static let largest = Int(PIPE_BUF)

  fileprivate let file: OpenDescriptor
  fileprivate let isSocket: Bool

  /// Returns nil for a descriptor of another kind. No file system is asked for it.
  init?(_ file: OpenDescriptor) {
    var name = [CChar](repeating: 0, count: 64)
    guard readlink(Self.link(file), &name, name.count - 1) > 0 else { return nil }
    let kind = String(
      decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if kind.hasPrefix("pipe:[") {
      // The end for reading can be opened for writing too.
      guard fcntl(file.number, F_GETFL) & O_ACCMODE != O_RDONLY else { return nil }
    } else {
      // The sockets of other families wait for programs that use them.
      var (family, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      guard kind.hasPrefix("socket:["),
        getsockopt(file.number, SOL_SOCKET, SO_DOMAIN, &family, &size) == 0, family == AF_UNIX
      else { return nil }
    }
    (self.file, isSocket) = (file, kind.hasPrefix("socket:["))
  }

  fileprivate static func link(_ file: OpenDescriptor) -> String { "/proc/self/fd/\(file.number)" }

  /// Writes a secret, unless the store was locked since the number of locks was noted. A lock waits for the write.
  ///
  /// - Parameter application: The application. Only one write is made for it at a time.
  func take(
    _ secret: AgentSecret, of application: String, since number: UInt64, _ locks: LockCount
  ) -> Outcome {
    guard secret.bytes.count <= Self.largest else { return .refused }
    guard let writing = SecretWriting(of: secret, to: self, for: application) else { return .busy }
    let connection = locks.connection(on: file.number)
    defer { locks.remove(connection) }
    guard connection.begin(since: number) else { return .tooLate }
    defer { connection.end() }
    if writing.run(while: { connection.mayGoOn(since: number) }) { return .given }
    return connection.mayGoOn(since: number) ? .refused : .tooLate
  }
}

/// A write of a secret, which is given up after a second, and once a lock has begun.
///
/// Even a write that does not wait for space waits for the pipe, and an application can hold its pipe as long as it
/// likes: while it writes to it from memory that a file system has yet to provide. The write is therefore made by a
/// thread of its own, from a page that is taken back from it. Whenever the thread goes on, it writes nothing.
private final class SecretWriting: Sendable {
  private static let mostLooks = 200
  private static let timeBetweenLooks = DispatchTimeInterval.milliseconds(5)
  /// The applications for which a thread writes, or waits for a pipe.
  private static let applications = Mutex<Set<String>>([])
  private static let mostApplications = 64
  private static let size = Int(sysconf(Int32(_SC_PAGESIZE)))

  private enum State {
    case ready, takenBack
    /// The page is gone, after a write or without one.
    case over(isWritten: Bool)
  }

  private let receiver: SecretReceiver
  private let application: String
  private let count: Int
  private nonisolated(unsafe) let page: UnsafeMutableRawPointer
  private let state = Mutex(State.ready)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// Returns nil if the thread of an earlier write for the application has not ended, or without memory.
  fileprivate init?(of secret: AgentSecret, to receiver: SecretReceiver, for application: String) {
    let isFirst = Self.applications.withLock {
      $0.count < Self.mostApplications && $0.insert(application).inserted
    }
    guard isFirst else { return nil }
    let page = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    guard let page, page != MAP_FAILED else {
      Self.applications.withLock { _ = $0.remove(application) }
      return nil
    }
    _ = mlock(page, Self.size)
    _ = madvise(page, Self.size, MADV_DONTDUMP)
    _ = madvise(page, Self.size, MADV_DONTFORK)
    count = secret.bytes.count
    secret.bytes.withUnsafeBytes { page.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    (self.receiver, self.application, self.page) = (receiver, application, page)
  }

  deinit { finish(isWritten: false) }

  /// Writes the secret. Returns false if it was not written in time, and is not written later.
  fileprivate func run(while mayGoOn: () -> Bool) -> Bool {
    let thread = Thread { [self] in
      // What is written to a pipe without a reader fails, and ends nothing.
      var signals = sigset_t()
      sigemptyset(&signals)
      sigaddset(&signals, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &signals, nil)
      finish(isWritten: write())
      hasEnded.signal()
    }
    thread.name = "portal"
    thread.start()
    var looks = 0
    while hasEnded.wait(timeout: .now() + Self.timeBetweenLooks) == .timedOut {
      looks += 1
      if looks >= Self.mostLooks || !mayGoOn(), takeBack() { break }
    }
    return state.withLock { if case .over(let isWritten) = $0 { isWritten } else { false } }
  }

  private func write() -> Bool {
    if receiver.isSocket {
      return send(receiver.file.number, page, count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        == count
    }
    // Whether the descriptor waits is for the application to say, of its own and of this one too.
    let own = open(SecretReceiver.link(receiver.file), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
    guard own >= 0 else { return false }
    defer { close(own) }
    return Foundation.write(own, page, count) == count
  }

  /// Takes the page from a thread that still waits. The address stays in use until the thread has ended. Returns
  /// false if the system does not take the page.
  private func takeBack() -> Bool {
    state.withLock { state in
      guard case .ready = state else { return true }
      let flags = MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS
      guard mmap(page, Self.size, PROT_NONE, flags, -1, 0) == page else { return false }
      state = .takenBack
      return true
    }
  }

  private func finish(isWritten: Bool) {
    let isFirst = state.withLock { state in
      if case .over = state { return false }
      if case .ready = state { UnsafeMutableRawBufferPointer(start: page, count: count).erase() }
      munmap(page, Self.size)
      state = .over(isWritten: isWritten)
      return true
    }
    if isFirst { Self.applications.withLock { _ = $0.remove(application) } }
  }
}
