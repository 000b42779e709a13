@_spi(Tools) import AtRestKeychain
import Foundation
import NIOCore
import Synchronization

/// Writes messages to a bus, one after the other, on a thread of its own.
final class BusOutput: Sendable {
  /// A message that waits.
  struct Message: Sendable {
    let bytes: AgentSecret
    /// The number of locks before the request, if a lock is to keep the answer from being sent, and what is sent then.
    var protection: (locks: UInt64, instead: @Sendable () -> AgentSecret)?
    /// The memory for the message.
    var held: Budget.Held?
    var whenSent: (@Sendable () -> Void)?
  }

  /// The bytes that may wait for the bus. A bus that reads less has failed.
  private static let most = 48 << 20

  private struct State {
    var waiting = CircularBuffer<Message>()
    var count = 0
    var isEnded = false
  }

  private let file: Int32
  private let connection: ProtectedConnection
  private let state = Mutex(State())
  private let news = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)

  /// - Parameter file: The socket, which stays open until ``end()`` returns.
  init(_ file: Int32, _ connection: ProtectedConnection) {
    (self.file, self.connection) = (file, connection)
    let thread = Thread { [self] in
      while let message = next() {
        guard write(message) else { break }
      }
      cut()
      hasEnded.signal()
    }
    thread.name = "session bus"
    thread.start()
  }

  /// Adds a message. It is dropped if the connection has ended.
  func add(_ message: Message) {
    let isOverfull = state.withLock { state in
      guard !state.isEnded else { return false }
      state.count += message.bytes.bytes.count
      state.waiting.append(message)
      return state.count > Self.most
    }
    if isOverfull { cut() }
    news.signal()
  }

  /// Ends the connection in both directions. What waits is not sent.
  func cut() {
    state.withLock { state in (state.isEnded, state.waiting) = (true, []) }
    shutdown(file, Int32(SHUT_RDWR))
    news.signal()
  }

  /// Ends the connection, and waits for the end of the thread.
  func end() {
    cut()
    hasEnded.wait()
  }

  private func next() -> Message? {
    while true {
      let (message, isEnded) = state.withLock { state -> (Message?, Bool) in
        guard !state.isEnded, !state.waiting.isEmpty else { return (nil, state.isEnded) }
        let message = state.waiting.removeFirst()
        state.count -= message.bytes.bytes.count
        return (message, false)
      }
      if isEnded { return nil }
      if let message { return message }
      news.wait()
    }
  }

  /// Writes a message. Returns false if the connection has ended.
  private func write(_ message: Message) -> Bool {
    var isWritten: Bool
    if let protection = message.protection {
      guard connection.begin(since: protection.locks) else {
        return write(Message(bytes: protection.instead()))
      }
      // A lock ends the connection while the rest of the answer waits for the bus.
      isWritten = send(message.bytes) {
        connection.keep() && connection.mayGoOn(since: protection.locks)
      }
      connection.end()
    } else {
      isWritten = send(message.bytes) { true }
    }
    if isWritten { message.whenSent?() }
    return isWritten
  }

  /// Sends bytes.
  ///
  /// - Parameter mayWait: Asked before each wait for the bus. Returns false to end the connection instead.
  private func send(_ secret: AgentSecret, mayWait: () -> Bool) -> Bool {
    secret.bytes.withUnsafeBytes { bytes in
      var offset = 0
      while offset < bytes.count {
        let count = Foundation.send(
          file, bytes.baseAddress! + offset, bytes.count - offset,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        if count > 0 {
          offset += count
        } else if errno == EAGAIN {
          guard mayWait() else { return false }
          var state = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
          poll(&state, 1, -1)
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}
