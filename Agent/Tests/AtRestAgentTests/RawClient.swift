import Foundation
import Testing

/// A client that writes bytes of its own choice to the agent's socket.
final class RawClient {
  private let file: Int32

  init(_ path: String) throws {
    file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(result == 0, "\(String(cString: strerror(errno)))")
  }

  deinit { close(file) }

  /// Writes bytes. Returns false if the agent has ended the connection.
  @discardableResult
  func write(_ bytes: [UInt8]) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        send(file, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return false }
      offset += count
    }
    return true
  }

  /// Sets the seconds after which a call gives up.
  ///
  /// - Parameter reading: The seconds for calls that read, if they differ.
  func limit(seconds: Int, reading: Int? = nil) {
    for (option, seconds) in [(SO_RCVTIMEO, reading ?? seconds), (SO_SNDTIMEO, seconds)] {
      var time = timeval(tv_sec: seconds, tv_usec: 0)
      setsockopt(file, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
    }
  }

  /// Waits until the agent has read all bytes that were written.
  func waitUntilRead() {
    var count: Int32 = 1
    eventually { ioctl(file, UInt(TIOCOUTQ), &count) != 0 || count == 0 }
  }

  /// Waits until an answer begins.
  func waitForAnswer() {
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    poll(&state, 1, 120_000)
  }

  /// Waits until a number of bytes can be read.
  func waitForAnswer(of bytes: Int) {
    var count: Int32 = 0
    eventually { ioctl(file, UInt(FIONREAD), &count) != 0 || count >= bytes }
  }

  /// Reads a number of bytes, fewer if the connection ends before.
  func read(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var offset = 0
    while offset < count {
      let more = bytes.withUnsafeMutableBytes {
        recv(file, $0.baseAddress! + offset, count - offset, 0)
      }
      if more < 0 && errno == EINTR { continue }
      if more <= 0 { break }
      offset += more
    }
    return Array(bytes.prefix(offset))
  }

  /// Reads an answer without its length. Returns nil if the connection ends.
  func answer() -> [UInt8]? {
    let length = read(4)
    guard length.count == 4 else { return nil }
    let count = length.reduce(0) { $0 << 8 | Int($1) }
    let answer = read(count)
    return answer.count == count ? answer : nil
  }

  /// Returns a message with its length.
  static func frame(_ message: [UInt8]) -> [UInt8] {
    withUnsafeBytes(of: UInt32(message.count).bigEndian) { Array($0) } + message
  }
}
