@_spi(Tools) import AtRestCrypto
import Foundation
import Synchronization

/// A connection to the agent, which carries messages. Calls block until the agent has answered.
///
/// Safe to use from several threads, whose messages are sent one after the other.
package final class AgentSocket: Sendable {
  /// The path of the socket.
  package let path: String
  /// The store that the agent serves, by its answer to the greeting.
  package let store: StoreIdentity
  private let file: Int32
  private let turn = Mutex(())
  /// True after an exchange that failed. A late answer would otherwise be taken for the next one.
  private let hasFailed = Atomic(false)

  /// The seconds to wait for an answer. The agent may ask its user three times, for 45 seconds each:
  /// for a grant, for the passcode and for an application password.
  private static let patience = 150
  /// The seconds to wait for the answer to the greeting, which may have to start the agent.
  private static let patienceForGreeting = 15

  /// Connects to an agent, and asks for the store that it serves.
  ///
  /// - Throws: ``AtRestError/Code/system`` if no agent answers there;
  ///   ``AtRestError/Code/notPermitted`` if the agent belongs to another user.
  package convenience init(to path: String) throws {
    let file = try Self.connected(to: path)
    guard file >= 0 else { throw Self.failure("connect to", path) }
    try self.init(file, path)
  }

  /// Connects to an agent if one listens at a path. Returns nil if none does, or if the one that was
  /// started for this connection ended before it answered.
  ///
  /// - Throws: ``AtRestError/Code/system`` if it does not answer;
  ///   ``AtRestError/Code/notPermitted`` if it belongs to another user.
  package convenience init?(toListenerAt path: String) throws {
    let file = try Self.connected(to: path)
    guard file >= 0 else {
      // Other failures, such as a lack of descriptors, do not say that there is no agent.
      guard [ENOENT, ENOTDIR, ECONNREFUSED, EACCES].contains(errno) else {
        throw Self.failure("connect to", path)
      }
      return nil
    }
    do {
      try self.init(file, path)
    } catch let error as AtRestError where error.code == .system && error.cause is Ended {
      return nil
    }
  }

  /// Greets the agent over a connected socket, which this object takes over.
  private init(_ file: Int32, _ path: String) throws {
    do {
      try Self.checkOwner(of: file, path)
      store = try Self.greet(file)
      Self.setPatience(Self.patience, file)
    } catch {
      close(file)
      throw error
    }
    self.path = path
    self.file = file
  }

  deinit { close(file) }

  /// False if the agent ended the connection, or if an exchange failed. Does not wait for another
  /// thread's answer.
  package var isOpen: Bool {
    guard !hasFailed.load(ordering: .relaxed) else { return false }
    // The end of a connection is reported in any case.
    var state = pollfd(fd: file, events: 0, revents: 0)
    return poll(&state, 1, 0) == 0
  }

  /// Sends a message, and returns the answer, both without their lengths.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the connection ends, or if no answer arrives in time;
  ///   ``AtRestError/Code/damaged`` if the answer has a length that is not allowed.
  package func exchange(_ message: borrowing SecretBytes) throws -> SecretBytes {
    try turn.withLock { _ in
      do {
        try Self.write(message, to: file)
        return try Self.read(from: file)
      } catch {
        hasFailed.store(true, ordering: .relaxed)
        throw error
      }
    }
  }

  // MARK: The greeting

  /// The agent ended the connection.
  private struct Ended: Error {}

  private static func ended() -> AtRestError {
    AtRestError(
      .system, "The agent ended the connection.", remedy: "Check that it runs: atrest agent.",
      cause: Ended())
  }

  /// Asks which store the agent serves. Nothing else is sent before the answer.
  private static func greet(_ file: Int32) throws -> StoreIdentity {
    var request = ByteWriter()
    request.head(.greeting, for: StoreIdentity(Data(count: StoreIdentity.count)))
    try write(SecretBytes(request.bytes), to: file)
    return try read(from: file).withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The agent's answer")
      let kind = try reader.answerKind()
      if kind == .refused { throw try reader.error() }
      guard kind == .data, reader.remaining == StoreIdentity.count else {
        throw AgentLimits.unexpectedAnswer
      }
      return StoreIdentity(Data(try reader.fixed(StoreIdentity.count)))
    }
  }

  private static func setPatience(_ seconds: Int, _ file: Int32) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  // MARK: The socket

  /// Returns a connected socket, or -1 and `errno`.
  private static func connected(to path: String) throws -> Int32 {
    let file = UnixSocket.make()
    guard file >= 0 else { return file }
    // An agent that accepts nothing makes a connection wait too.
    setPatience(patienceForGreeting, file)
    do {
      if try connect(file, to: path) == 0 { return file }
    } catch {
      close(file)
      throw error
    }
    let reason = errno
    close(file)
    errno = reason
    return -1
  }

  private static func connect(_ file: Int32, to path: String) throws -> Int32 {
    let result = UnixSocket.connect(file, to: path)
    guard result == 0 || errno != ENAMETOOLONG else {
      throw AtRestError.invalid(
        "The path of the agent's socket is too long.", remedy: "Use a path of 100 bytes or less.")
    }
    return result
  }

  /// Refuses an agent of another user, who would learn the passcode.
  private static func checkOwner(of file: Int32, _ path: String) throws {
    #if os(Linux)
      // Process, user and group.
      var peer: (Int32, UInt32, UInt32) = (0, 0, 0)
      var size = socklen_t(MemoryLayout.size(ofValue: peer))
      guard getsockopt(file, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 else {
        throw failure("inspect", path)
      }
      let owner = peer.1
    #else
      var (owner, group) = (uid_t(), gid_t())
      guard getpeereid(file, &owner, &group) == 0 else { throw failure("inspect", path) }
    #endif
    guard owner == geteuid() else {
      throw AtRestError(
        .notPermitted, "The agent at \(path) belongs to another user.",
        remedy: "Check ATREST_AGENT and the folder of the socket.")
    }
  }

  private static func write(_ message: borrowing SecretBytes, to file: Int32) throws {
    var length = UInt32(message.count).bigEndian
    try withUnsafeBytes(of: &length) { try writeAll($0, to: file) }
    try message.withUnsafeBytes { try writeAll($0, to: file) }
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      #if canImport(Darwin)
        let flags: Int32 = 0
      #else
        let flags = Int32(MSG_NOSIGNAL)
      #endif
      let count = Foundation.send(file, bytes.baseAddress! + offset, bytes.count - offset, flags)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        if errno == EPIPE || errno == ECONNRESET { throw ended() }
        if errno == EAGAIN { throw silence }
        throw failure("write to", "the agent")
      }
      offset += count
    }
  }

  private static func readAll(_ bytes: UnsafeMutableRawBufferPointer, from file: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let count = recv(file, bytes.baseAddress! + offset, bytes.count - offset, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        if count == 0 || errno == ECONNRESET { throw ended() }
        if errno == EAGAIN { throw silence }
        throw failure("read from", "the agent")
      }
      offset += count
    }
  }

  private static func read(from file: Int32) throws -> SecretBytes {
    var length: UInt32 = 0
    try withUnsafeMutableBytes(of: &length) { try readAll($0, from: file) }
    let count = Int(UInt32(bigEndian: length))
    guard (2...AgentLimits.answer).contains(count) else { throw AgentLimits.unexpectedAnswer }
    return try SecretBytes(count: count) { try readAll($0, from: file) }
  }

  /// The error of an agent that did not answer in time, as one that was stopped. The kernel's number of the other
  /// process may be that of a service manager, which nobody should end.
  private static let silence = AtRestError(
    .system, "The agent did not answer in time.",
    remedy: "If its process was stopped, let it go on with kill -CONT.")

  private static func failure(_ verb: String, _ path: String) -> AtRestError {
    AtRestError(
      .system, "Could not \(verb) \(path): \(String(cString: strerror(errno))).",
      remedy: "Check that the agent runs: atrest agent.")
  }
}
