import AtRestCrypto
import Foundation

/// A connection to a D-Bus that only receives signals. Calls block.
final class BusConnection: Sendable {
  private let file: Int32

  /// Connects to a bus, and asks it for signals.
  ///
  /// - Throws: ``AtRestError/Code/system`` if there is no bus; ``AtRestError/Code/damaged`` if it
  ///   does not keep to the protocol.
  init(_ source: LockSignal.Source) throws {
    guard let path = Self.path(source.address) else {
      throw AtRestError(
        .system, "There is no bus with a path at \(source.address).",
        remedy: "Check DBUS_SESSION_BUS_ADDRESS.")
    }
    file = try Self.connect(path)
    // This cannot throw before the descriptor is stored, because deinit closes it.
    try logIn()
    try send(BusMessage.call("Hello", nil, serial: 1))
    for (index, rule) in source.rules.enumerated() {
      let serial = UInt32(index + 2)
      try send(BusMessage.call("AddMatch", rule, serial: serial))
      while true {
        let message = try next()
        if message.kind == .reply, message.answered == serial { break }
        guard message.kind != .error else {
          throw AtRestError(
            .system, "The bus refuses to pass signals on.", remedy: "Check the bus's policy.")
        }
      }
    }
  }

  deinit { close(file) }

  /// Returns the path in an address, the first one with a path.
  static func path(_ address: String) -> String? {
    for part in address.split(separator: ";") where part.hasPrefix("unix:") {
      for pair in part.dropFirst("unix:".count).split(separator: ",")
      where pair.hasPrefix("path=") {
        return pair.dropFirst("path=".count).removingPercentEncoding
      }
    }
    return nil
  }

  private static func connect(_ path: String) throws -> Int32 {
    let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
      guard path.utf8.count < place.count else { return false }
      place.copyBytes(from: path.utf8)
      return true
    }
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(file, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard file >= 0, fits, result == 0 else {
      if file >= 0 { close(file) }
      throw failure
    }
    return file
  }

  private static let failure = AtRestError(
    .system, "The connection to the bus failed.", remedy: "Check that the bus runs.")

  /// Logs in as the user of this process, which the bus compares with the socket's.
  private func logIn() throws {
    let user = String(geteuid()).utf8.map { String(format: "%02x", $0) }.joined()
    try send([0] + Array("AUTH EXTERNAL \(user)\r\n".utf8))
    var line: [UInt8] = []
    while line.last != 10 {
      guard line.count < 512 else { throw Self.failure }
      line += try receive(1)
    }
    guard line.starts(with: Array("OK ".utf8)) else { throw Self.failure }
    try send(Array("BEGIN\r\n".utf8))
  }

  private func send(_ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          file, $0.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure }
      offset += count
    }
  }

  private func receive(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var offset = 0
    while offset < count {
      let got = bytes.withUnsafeMutableBytes {
        recv(file, $0.baseAddress! + offset, count - offset, 0)
      }
      if got < 0 && errno == EINTR { continue }
      guard got > 0 else { throw Self.failure }
      offset += got
    }
    return bytes
  }

  /// Waits for the next message.
  func next() throws -> BusMessage {
    let prefix = try receive(BusMessage.prefixSize)
    let rest = try receive(BusMessage.size(prefix: prefix) - BusMessage.prefixSize)
    return try BusMessage(decoding: prefix + rest)
  }
}
