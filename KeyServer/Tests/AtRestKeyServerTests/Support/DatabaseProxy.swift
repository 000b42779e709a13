import Foundation
import Glibc
import Synchronization

/// A proxy on a Unix socket in front of PostgreSQL. While it is told to, it passes nothing on, and closes nothing: so
/// does a network that loses packets. What was held back arrives late. It can also lose a connection at a given request.
final class DatabaseProxy: Sendable {
  /// The folder with the socket, for a connection string.
  let folder = "/tmp/atrest-keyserver-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  private let listener: Int32
  private let gate = Gate()

  enum Direction { case requests, answers }

  /// How a connection is lost: before a request, within it, or before its answer.
  enum Loss: CaseIterable { case request, half, answer }

  /// Holds back one direction, or both, and passes on what was held back before.
  private final class Gate: @unchecked Sendable {
    private struct Plan {
      var requestsLeft: Int
      let loss: Loss
      let isLasting: Bool
      var hasLost = false
    }

    private let condition = NSCondition()
    private var held: Set<Direction> = []
    private var plan: Plan?

    func lose(after requests: Int, _ loss: Loss, isLasting: Bool) {
      condition.withLock {
        plan = Plan(requestsLeft: requests, loss: loss, isLasting: isLasting)
      }
    }

    func endLosses() -> Bool {
      condition.withLock {
        defer { plan = nil }
        return plan?.hasLost ?? false
      }
    }

    /// Returns how the connection is lost at the request that has arrived, or nil if it is not.
    func nextLoss() -> Loss? {
      condition.withLock {
        guard let present = plan else { return nil }
        guard present.requestsLeft == 0 else {
          plan?.requestsLeft -= 1
          return nil
        }
        guard present.isLasting || !present.hasLost else { return nil }
        plan?.hasLost = true
        return present.loss
      }
    }

    func hold(_ directions: Set<Direction>) {
      condition.withLock {
        held = directions
        condition.broadcast()
      }
    }

    func pass(_ direction: Direction) {
      condition.withLock { while held.contains(direction) { condition.wait() } }
    }
  }

  struct Failure: Error { let call: String, status: Int32 }

  init(_ server: PostgreSQLServer) throws {
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    let bound = Self.with("\(folder)/.s.PGSQL.\(server.port)") { bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else { throw Failure(call: "bind", status: errno) }
    let path = "\(server.folder)/.s.PGSQL.\(server.port)"
    Thread.detachNewThread { [listener, gate] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else {
          if errno == EINTR { continue }
          return
        }
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.with(path, { connect(server, $0, $1) }) == 0 else {
          close(client)
          close(server)
          continue
        }
        let pair = Pair(descriptors: [client, server])
        Thread.detachNewThread {
          pair.relay(0, 1) { count in
            gate.pass(.requests)
            // The end of a connection is not a request.
            return count > 0 ? gate.nextLoss() : nil
          }
        }
        Thread.detachNewThread {
          pair.relay(1, 0) { _ in
            gate.pass(.answers)
            return nil
          }
        }
      }
    }
  }

  deinit {
    gate.hold([])
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Passes nothing on in these directions until `release()`.
  func hold(_ directions: Set<Direction> = [.requests, .answers]) { gate.hold(directions) }

  /// Passes on what was held back, and everything after it.
  func release() { gate.hold([]) }

  /// Loses a connection at one of the requests to come. What `PostgreSQLConnection` sends at a time is one request.
  ///
  /// - Parameters:
  ///   - requests: The requests that are answered before.
  ///   - isLasting: True to lose all requests after that one too, also on other connections.
  func lose(after requests: Int, _ loss: Loss, isLasting: Bool) {
    gate.lose(after: requests, loss, isLasting: isLasting)
  }

  /// Loses nothing any more. Returns true if a connection was lost.
  func endLosses() -> Bool { gate.endLosses() }

  /// Both ends of a connection, which are closed when neither direction is used any more.
  private final class Pair: Sendable {
    private let descriptors: [Int32]
    private let losesAnswer = Atomic(false)

    init(descriptors: [Int32]) { self.descriptors = descriptors }
    deinit { descriptors.forEach { close($0) } }

    func relay(_ from: Int, _ to: Int, _ pass: (Int) -> Loss?) {
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        var count = recv(descriptors[from], &buffer, buffer.count, 0)
        if count < 0, errno == EINTR { continue }
        let loss = pass(count)
        let isLost = loss == .request || from == 1 && losesAnswer.load(ordering: .acquiring)
        guard count > 0, !isLost else { break }
        if loss == .answer { losesAnswer.store(true, ordering: .releasing) }
        if loss == .half { count /= 2 }
        var sent = 0
        while sent < count {
          let more = buffer.withUnsafeBytes {
            Glibc.send(
              descriptors[to], $0.baseAddress?.advanced(by: sent), count - sent, Int32(MSG_NOSIGNAL)
            )
          }
          if more < 0, errno == EINTR { continue }
          guard more > 0 else { break }
          sent += more
        }
        guard sent == count, loss != .half else { break }
      }
      shutdown(descriptors[to], Int32(SHUT_WR))
      shutdown(descriptors[from], Int32(SHUT_RD))
    }
  }

  private static func with(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
