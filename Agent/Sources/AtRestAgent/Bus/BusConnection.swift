import AtRestCrypto
import CAtRestPeer
import Foundation

/// A connection to a D-Bus that receives signals and makes calls. It belongs to one thread, and calls
/// block.
final class BusConnection {
  private static let bus = "org.freedesktop.DBus"

  private let file: Int32
  private var serial: UInt32 = 0
  /// The signals that arrived while a reply was expected.
  private var early: [BusMessage] = []
  /// The descriptor that came with the last message, or -1.
  private var received: Int32 = -1

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
    try call("Hello", of: Self.bus, interface: Self.bus)
    for rule in source.rules {
      try call("AddMatch", of: Self.bus, interface: Self.bus, .text(rule))
    }
  }

  deinit {
    dropDescriptor()
    close(file)
  }

  private func dropDescriptor() {
    if received >= 0 { close(received) }
    received = -1
  }

  /// Calls a method, and waits for its reply.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the call is refused.
  @discardableResult
  func call(
    _ member: String, of name: String, interface: String, _ arguments: BusMessage.Argument...
  ) throws -> BusMessage {
    serial += 1
    try send(
      BusMessage.call(member, of: name, interface: interface, arguments, serial: serial))
    while true {
      let message = try receive()
      if message.answered == serial {
        if message.kind == .reply { return message }
        if message.kind == .error {
          throw AtRestError(
            .system, "\(name) refuses the call \(member).", remedy: "Check the bus's policy.")
        }
      }
      if message.kind == .signal { early.append(message) }
    }
  }

  /// Takes the descriptor that came with the reply of the last call. The caller closes it.
  func takeDescriptor() -> Int32? {
    defer { received = -1 }
    return received >= 0 ? received : nil
  }

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
    guard try line().starts(with: Array("OK ".utf8)) else { throw Self.failure }
    // A bus that refuses this sends no descriptors.
    try send(Array("NEGOTIATE_UNIX_FD\r\n".utf8))
    _ = try line()
    try send(Array("BEGIN\r\n".utf8))
  }

  private func line() throws -> [UInt8] {
    var line: [UInt8] = []
    while line.last != 10 {
      guard line.count < 512 else { throw Self.failure }
      line += try receive(1)
    }
    return line
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
      var descriptor: Int32 = -1
      let got = bytes.withUnsafeMutableBytes {
        atrest_receive(file, $0.baseAddress! + offset, count - offset, &descriptor)
      }
      if got < 0 && errno == EINTR { continue }
      if descriptor >= 0 {
        dropDescriptor()
        received = descriptor
      }
      guard got > 0 else { throw Self.failure }
      offset += got
    }
    return bytes
  }

  /// Waits for the next signal.
  func next() throws -> BusMessage {
    if !early.isEmpty { return early.removeFirst() }
    while true {
      let message = try receive()
      if message.kind == .signal { return message }
    }
  }

  private func receive() throws -> BusMessage {
    dropDescriptor()
    let prefix = try receive(BusMessage.prefixSize)
    let rest = try receive(BusMessage.size(prefix: prefix) - BusMessage.prefixSize)
    return try BusMessage(decoding: prefix + rest)
  }
}
