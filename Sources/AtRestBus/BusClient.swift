@_spi(Tools) import AtRestCrypto
import Foundation

/// A connection to a bus that makes calls and waits for their answers. It belongs to one thread.
///
/// Signals, and calls of others, are skipped.
@_spi(Tools) public final class BusClient {
  private static let bus = "org.freedesktop.DBus"
  /// The seconds that an answer may take: the owner may have to type a password elsewhere.
  private static let secondsForAnswer = 120
  /// The number of values in an answer: some thousand items of a keyring with their secrets.
  private static let mostValues = 1 << 21

  private let file: Int32
  private var serial: UInt32 = 0

  /// Connects to a bus, and logs in as the user of this process.
  ///
  /// - Parameter address: An address with a path, `unix:path=…`.
  /// - Throws: ``AtRestError/Code/system`` if nobody listens there, or is no bus.
  public init(to address: String) throws {
    guard let path = BusAddress.path(address) else {
      throw AtRestError(
        .invalidArgument, "The address of the bus, \(address), has no path.",
        remedy: "Name one, such as unix:path=/run/user/1000/bus.")
    }
    file = UnixSocket.make()
    guard file >= 0, UnixSocket.connect(file, to: path) == 0 else {
      let reason = String(cString: strerror(errno))
      throw AtRestError(
        .system, "No bus can be reached at \(path): \(reason).",
        remedy: "Check DBUS_SESSION_BUS_ADDRESS, or start a session with dbus-run-session.")
    }
    var time = timeval(tv_sec: Self.secondsForAnswer, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
    let user = String(geteuid()).utf8.hexadecimal
    try send(Array("\0AUTH EXTERNAL \(user)\r\n".utf8))
    guard try line().starts(with: Array("OK ".utf8)) else { throw Self.failure }
    try send(Array("BEGIN\r\n".utf8))
    _ = try call("Hello", at: "/org/freedesktop/DBus", Self.bus, of: Self.bus)
  }

  deinit { if file >= 0 { close(file) } }

  private static let failure = AtRestError(
    .system, "The connection to the bus failed.", remedy: "Check that the bus runs.")

  /// Calls a method, and returns the values of its answer.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the program or the object does not exist;
  ///   ``AtRestError/Code/locked`` and ``AtRestError/Code/notPermitted`` if the program says so;
  ///   ``AtRestError/Code/system`` for another refusal, or without an answer.
  public func call(
    _ member: String, at path: String, _ interface: String, of name: String,
    _ arguments: [BusValue] = []
  ) throws -> [BusValue] {
    serial += 1
    let call = BusMessage(
      .call, serial: serial, path: path, interface: interface, member: member, destination: name,
      arguments)
    try call.encoded().withUnsafeBytes { try send($0) }
    while true {
      let message = try receive()
      guard message.answered == serial else { continue }
      if message.kind == .reply { return message.body }
      if message.kind == .error { throw Self.refusal(message, of: name) }
    }
  }

  /// Returns the value of a property.
  public func property(
    _ property: String, at path: String, _ interface: String, of name: String
  ) throws -> BusValue {
    let answer = try call(
      "Get", at: path, Self.bus + ".Properties", of: name, [.text(interface), .text(property)])
    guard case .variant(let value)? = answer.first else { throw BusError.malformed }
    return value
  }

  /// Waits for a signal of an object.
  ///
  /// - Parameter start: What makes the object send the signal.
  public func signal(
    _ member: String, at path: String, after start: () throws -> Void
  ) throws -> [BusValue] {
    _ = try call(
      "AddMatch", at: "/org/freedesktop/DBus", Self.bus, of: Self.bus,
      [.text("type='signal',path='\(path)',member='\(member)'")])
    try start()
    while true {
      let message = try receive()
      if message.kind == .signal, message.member == member, message.path == path {
        return message.body
      }
    }
  }

  private static func refusal(_ message: BusMessage, of name: String) -> AtRestError {
    let error = message.errorName ?? ""
    let code: AtRestError.Code =
      switch error.split(separator: ".").last {
      case "ServiceUnknown", "NameHasNoOwner", "UnknownObject", "NoSuchObject": .notFound
      case "IsLocked": .locked
      case "AccessDenied": .notPermitted
      default: .system
      }
    // The text is that of another program.
    let text = (message.body.first?.string ?? error).printable
    return AtRestError(code, "\(name) refuses: \(text)", remedy: "See the program of this name.")
  }

  // MARK: Bytes

  private func send(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try send($0) } }

  private func send(_ bytes: UnsafeRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Foundation.send(file, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  private func receive(into bytes: UnsafeMutableRawBufferPointer) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = recv(file, rest.baseAddress, rest.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.failure }
      rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...])
    }
  }

  private func line() throws -> [UInt8] {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      guard line.count < 512 else { throw Self.failure }
      var byte: UInt8 = 0
      try withUnsafeMutableBytes(of: &byte) { try receive(into: $0) }
      line.append(byte)
    }
    return line
  }

  /// Receives a message. Its bytes may be secrets.
  private func receive() throws -> BusMessage {
    var prefix = [UInt8](repeating: 0, count: BusMessage.prefixSize)
    try prefix.withUnsafeMutableBytes { try receive(into: $0) }
    let size = try prefix.withUnsafeBytes { try BusMessage.size(prefix: $0) }
    let whole = try SecretBytes(count: size) { bytes in
      bytes.copyBytes(from: prefix)
      try receive(into: UnsafeMutableRawBufferPointer(rebasing: bytes[prefix.count...]))
    }
    return try whole.withUnsafeBytes { try BusMessage(decoding: $0, mostValues: Self.mostValues) }
  }
}

/// The addresses of buses.
@_spi(Tools) public enum BusAddress {
  /// Returns the path in an address, the first one with a path.
  public static func path(_ address: String) -> String? {
    for part in address.split(separator: ";") where part.hasPrefix("unix:") {
      for pair in part.dropFirst("unix:".count).split(separator: ",")
      where pair.hasPrefix("path=") {
        return pair.dropFirst("path=".count).removingPercentEncoding
      }
    }
    return nil
  }
}
