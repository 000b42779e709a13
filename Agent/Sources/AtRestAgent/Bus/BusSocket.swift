@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
import CAtRestPeer
import Foundation

/// The socket of a client of a bus. It belongs to the thread that reads.
final class BusSocket {
  let file: Int32
  /// The number that identifies the bus.
  let guid: String
  /// The time until which bytes have to arrive.
  var end: ContinuousClock.Instant?
  /// The descriptor that came with the last message, or -1.
  private var received: Int32 = -1
  /// True after a failure: the next bytes may be the middle of a message.
  private var hasFailed = false

  /// Connects to a bus, and logs in as the user of this process, which the bus compares with the socket's.
  ///
  /// - Parameters:
  ///   - seconds: The seconds until which bytes have to arrive, until ``end`` is changed.
  ///   - user: The user whose bus it has to be, or nil for any user.
  ///   - takesDescriptors: True to get descriptors from a bus that passes them on.
  /// - Throws: ``AtRestError/Code/notFound`` if there is no bus; ``AtRestError/Code/system`` if it does not keep to the
  ///   protocol.
  init(
    to address: String, seconds: Int, of user: UInt32? = nil, takesDescriptors: Bool = true
  ) throws {
    guard let path = BusAddress.path(address) else {
      throw AtRestError(
        .system, "There is no bus with a path at \(address).",
        remedy: "Check DBUS_SESSION_BUS_ADDRESS.")
    }
    let file = UnixSocket.make()
    if file >= 0 { Self.limitSending(file, to: seconds) }
    guard file >= 0, UnixSocket.connect(file, to: path) == 0 else {
      let isMissing = [ENOENT, ECONNREFUSED].contains(errno)
      if file >= 0 { close(file) }
      throw AtRestError(
        isMissing ? .notFound : .system, "No bus can be reached at \(path).",
        remedy: "Check that the bus runs.")
    }
    let line = BusLoginLine(file, .now + .seconds(seconds))
    do {
      if let user, Self.owner(of: file) != user {
        throw AtRestError(
          .system, "The bus at \(path.printable) is not this user's.",
          remedy: "Check DBUS_SESSION_BUS_ADDRESS.")
      }
      let user = String(geteuid()).utf8.hexadecimal
      try line.send("\0AUTH EXTERNAL \(user)\r\n")
      let words = try line.receive().split(separator: " ")
      guard words.count == 2, words[0] == "OK" else { throw Self.failure }
      guid = String(words[1])
      if takesDescriptors {
        // A bus that refuses this sends none.
        try line.send("NEGOTIATE_UNIX_FD\r\n")
        _ = try line.receive()
      }
      try line.send("BEGIN\r\n")
    } catch {
      close(file)
      throw error
    }
    Self.limitSending(file, to: 0)
    self.file = file
    end = line.end
  }

  /// Sets the seconds for which a connection that is not accepted, or bytes that are not read, are waited for. 0 means as
  /// long as it takes.
  private static func limitSending(_ file: Int32, to seconds: Int) {
    var time = timeval(tv_sec: seconds, tv_usec: 0)
    setsockopt(file, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
  }

  /// Returns the user who listens at the other end, as the kernel knows it.
  static func owner(of file: Int32) -> UInt32? {
    var peer = atrest_peer()
    guard atrest_get_peer(file, &peer) == 0 else { return nil }
    if peer.descriptor >= 0 { close(peer.descriptor) }
    return peer.user
  }

  deinit {
    dropDescriptor()
    close(file)
  }

  static let failure = AtRestError(
    .system, "The connection to the bus failed.", remedy: "Check that the bus runs.")

  /// Ends the use of the connection, and returns the error.
  func fail() -> AtRestError {
    hasFailed = true
    return Self.failure
  }

  // MARK: Descriptors

  var hasDescriptor: Bool { received >= 0 }

  /// Takes the descriptor that came with the last message. The caller closes it.
  func takeDescriptor() -> Int32? {
    defer { received = -1 }
    return received >= 0 ? received : nil
  }

  /// Closes the descriptor that came with the last message.
  func dropDescriptor() {
    if received >= 0 { close(received) }
    received = -1
  }

  // MARK: Bytes

  func send(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try Self.send($0, to: file) }
  }

  fileprivate static func send(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws {
    var offset = 0
    while offset < bytes.count {
      let count = Foundation.send(
        file, bytes.baseAddress! + offset, bytes.count - offset, Int32(MSG_NOSIGNAL))
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw failure }
      offset += count
    }
  }

  func receive(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    try bytes.withUnsafeMutableBytes { try receive(into: $0) }
    return bytes
  }

  /// Fills memory with the next bytes.
  func receive(into bytes: UnsafeMutableRawBufferPointer) throws {
    guard !hasFailed else { throw Self.failure }
    var offset = 0
    while offset < bytes.count {
      if let end, !Self.hasBytes(file, until: end) { throw fail() }
      var descriptor: Int32 = -1
      let got = atrest_receive(
        file, bytes.baseAddress! + offset, bytes.count - offset, &descriptor)
      if got < 0 && errno == EINTR { continue }
      if descriptor >= 0 {
        dropDescriptor()
        received = descriptor
      }
      guard got > 0 else { throw fail() }
      offset += got
    }
  }

  /// Receives the first bytes of the next message, and returns them with the size of the whole.
  func receivePrefix() throws -> (bytes: [UInt8], header: Int, size: Int) {
    dropDescriptor()
    let bytes = try receive(BusMessage.prefixSize)
    do {
      let (header, size) = try bytes.withUnsafeBytes { try BusMessage.sizes(prefix: $0) }
      return (bytes, header, size)
    } catch {
      hasFailed = true
      throw error
    }
  }

  /// Waits for bytes. Returns false if none arrived in time.
  func waits(until end: ContinuousClock.Instant) -> Bool { Self.hasBytes(file, until: end) }

  fileprivate static func hasBytes(_ file: Int32, until end: ContinuousClock.Instant) -> Bool {
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, Int32(PromptProgram.seconds(until: end) * 1000)) != 0
  }
}

/// The lines with which a connection to a bus begins.
private struct BusLoginLine {
  private static let longest = 512

  private let file: Int32
  let end: ContinuousClock.Instant

  init(_ file: Int32, _ end: ContinuousClock.Instant) { (self.file, self.end) = (file, end) }

  func send(_ line: String) throws {
    try Array(line.utf8).withUnsafeBytes { try BusSocket.send($0, to: file) }
  }

  /// Receives a line, without its end. Nothing of what follows it is taken.
  func receive() throws -> String {
    var line: [UInt8] = []
    while line.last != UInt8(ascii: "\n") {
      var byte: UInt8 = 0
      guard line.count < Self.longest, BusSocket.hasBytes(file, until: end) else {
        throw BusSocket.failure
      }
      let got = recv(file, &byte, 1, 0)
      if got < 0 && errno == EINTR { continue }
      guard got == 1 else { throw BusSocket.failure }
      line.append(byte)
    }
    let text = line.dropLast(line.dropLast().last == UInt8(ascii: "\r") ? 2 : 1)
    guard let text = String(validating: text, as: UTF8.self) else { throw BusSocket.failure }
    return text
  }
}
