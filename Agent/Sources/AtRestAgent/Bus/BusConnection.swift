@_spi(Tools) import AtRestBus
@_spi(Tools) import AtRestCrypto
import CAtRestPeer
import Foundation

/// A connection to a D-Bus that receives signals and makes calls. It belongs to one thread, and calls
/// block.
///
/// Every user can send a message to every program on the system's bus. A signal is therefore believed only
/// if it was sent to nobody in particular, by the owner of the name whose signal it is. Everything else
/// is skipped, whatever its size and form.
final class BusConnection {
  /// An event on a bus.
  enum Event {
    case signal(BusMessage)
    /// A program took over a name. Its signals before that were lost.
    case newOwner(String)
  }

  static let bus = "org.freedesktop.DBus"
  private static let secondsForReply = 10

  private let file: Int32
  private var serial: UInt32 = 0
  /// The owners of the names whose signals are believed.
  private var owners: [String: String] = [:]
  private let names: [String]
  private var early = EarlyEvents()
  /// The path of the only session whose signals are events, or nil for those of all sessions.
  var session: String?
  /// The descriptor that came with the last message, or -1.
  private var received: Int32 = -1
  /// The time until which bytes have to arrive.
  private var end: ContinuousClock.Instant?
  /// True after a failure: the next bytes may be the middle of a message.
  private var hasFailed = false

  /// Connects to a bus, and asks it for signals.
  ///
  /// - Throws: ``AtRestError/Code/system`` if there is no bus, or it does not keep to the protocol.
  init(_ source: LockSignal.Source) throws {
    guard let path = BusAddress.path(source.address) else {
      throw AtRestError(
        .system, "There is no bus with a path at \(source.address).",
        remedy: "Check DBUS_SESSION_BUS_ADDRESS.")
    }
    names = source.names
    file = try Self.connect(path)
    // This cannot throw before the descriptor is stored, because deinit closes it.
    end = .now + .seconds(Self.secondsForReply)
    try logIn()
    try call("Hello", of: Self.bus, interface: Self.bus)
    for rule in source.rules {
      try call("AddMatch", of: Self.bus, interface: Self.bus, .text(rule))
    }
    // A change of the owner is seen from here on.
    for name in names where owners[name] == nil {
      let reply = try? call("GetNameOwner", of: Self.bus, interface: Self.bus, .text(name))
      if let owner = reply?.text { owners[name] = owner }
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

  /// True if a program has a name.
  func hasOwner(_ name: String) -> Bool { owners[name] != nil }

  /// Calls a method, and waits for its reply.
  ///
  /// - Throws: ``AtRestError/Code/notFound`` if the object does not exist; ``AtRestError/Code/system`` if the
  ///   call is refused for another reason, or not answered in time.
  @discardableResult
  func call(
    _ member: String, of name: String, path: String? = nil, interface: String,
    _ arguments: BusValue...
  ) throws -> BusMessage {
    serial += 1
    end = .now + .seconds(Self.secondsForReply)
    defer { end = nil }
    let message = BusMessage.call(
      member, of: name, path: path, interface: interface, arguments, serial: serial)
    try send(message.encoded().withUnsafeBytes { Array($0) })
    while true {
      guard let message = try receive() else { continue }
      if message.answered == serial, isReply(message, of: name) {
        if message.kind == .reply { return message }
        if message.kind == .error {
          let isMissing = message.errorName.map(Self.namesOfMissing.contains) ?? false
          throw AtRestError(
            isMissing ? .notFound : .system, "\(name) refuses the call \(member).",
            remedy: "Check the bus's policy.")
        }
      }
      guard let event = event(message) else { continue }
      guard early.add(event) else {
        hasFailed = true
        throw Self.failure
      }
    }
  }

  /// The names of errors that say that an object does not exist.
  private static let namesOfMissing = [
    bus + ".Error.UnknownObject", LockSignal.login + ".NoSuchSession",
  ]

  /// The bus passes on a reply only from the program that was called.
  private func isReply(_ message: BusMessage, of name: String) -> Bool {
    message.sender == (name == Self.bus ? name : owners[name] ?? message.sender)
  }

  /// Returns the value of a property.
  func property(
    _ property: String, of name: String, path: String? = nil, interface: String
  ) -> BusMessage? {
    try? call(
      "Get", of: name, path: path, interface: Self.bus + ".Properties", .text(interface),
      .text(property))
  }

  /// Takes the descriptor that came with the reply of the last call. The caller closes it.
  func takeDescriptor() -> Int32? {
    defer { received = -1 }
    return received >= 0 ? received : nil
  }

  private static func connect(_ path: String) throws -> Int32 {
    let file = UnixSocket.make()
    guard file >= 0 else { throw failure }
    guard UnixSocket.connect(file, to: path) == 0 else {
      close(file)
      throw failure
    }
    return file
  }

  private static let failure = AtRestError(
    .system, "The connection to the bus failed.", remedy: "Check that the bus runs.")

  /// Logs in as the user of this process, which the bus compares with the socket's.
  private func logIn() throws {
    let user = String(geteuid()).utf8.hexadecimal
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
    guard !hasFailed else { throw Self.failure }
    var bytes = [UInt8](repeating: 0, count: count)
    var offset = 0
    while offset < count {
      try waitForBytes()
      var descriptor: Int32 = -1
      let got = bytes.withUnsafeMutableBytes {
        atrest_receive(file, $0.baseAddress! + offset, count - offset, &descriptor)
      }
      if got < 0 && errno == EINTR { continue }
      if descriptor >= 0 {
        dropDescriptor()
        received = descriptor
      }
      guard got > 0 else {
        hasFailed = true
        throw Self.failure
      }
      offset += got
    }
    return bytes
  }

  private func waitForBytes() throws {
    guard let end else { return }
    var state = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, Int32(PromptProgram.seconds(until: end) * 1000)) != 0 else {
      hasFailed = true
      throw Self.failure
    }
  }

  /// Waits for the next event.
  ///
  /// - Throws: ``AtRestError/Code/system`` if the connection ends.
  func next() throws -> Event {
    if let event = early.removeFirst() { return event }
    while true {
      if let message = try receive(), let event = event(message) { return event }
    }
  }

  /// Returns the event of a message; nil if the message is no event, or its sender is not believed.
  private func event(_ message: BusMessage) -> Event? {
    guard message.kind == .signal, message.destination == nil else { return nil }
    if message.sender == Self.bus {
      guard message.interface == Self.bus, message.member == "NameOwnerChanged",
        message.texts.count == 3, names.contains(message.texts[0])
      else { return nil }
      let (name, owner) = (message.texts[0], message.texts[2])
      owners[name] = owner.isEmpty ? nil : owner
      return owner.isEmpty ? nil : .newOwner(name)
    }
    guard let name = LockSignal.name(of: message), let sender = message.sender,
      owners[name] == sender
    else {
      return nil
    }
    if let session, LockSignal.isOfSession(message), message.path != session { return nil }
    return .signal(message)
  }

  /// Receives a message. Returns nil for one that is too large or has a form that is not known.
  private func receive() throws -> BusMessage? {
    dropDescriptor()
    let prefix = try receive(BusMessage.prefixSize)
    var rest: Int
    do {
      rest = try prefix.withUnsafeBytes { try BusMessage.size(prefix: $0) } - prefix.count
    } catch {
      hasFailed = true
      throw error
    }
    guard rest <= BusMessage.largest else {
      while rest > 0 { rest -= try receive(min(rest, 1 << 16)).count }
      return nil
    }
    let whole = try prefix + receive(rest)
    return try? whole.withUnsafeBytes { try BusMessage(decoding: $0) }
  }
}
