@_spi(Tools) import AtRestBus
import AtRestCrypto
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

  private let socket: BusSocket
  private var serial: UInt32 = 0
  /// The owners of the names whose signals are believed.
  private var owners: [String: String] = [:]
  private let names: [String]
  private var early = EarlyEvents()
  /// The path of the only session whose signals are events, or nil for those of all sessions.
  var session: String?

  /// Connects to a bus, and asks it for signals.
  ///
  /// - Throws: ``AtRestError/Code/system`` if there is no bus, or it does not keep to the protocol.
  init(_ source: LockSignal.Source) throws {
    names = source.names
    socket = try BusSocket(
      to: source.address, seconds: Self.secondsForReply, of: source.user)
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
    socket.end = .now + .seconds(Self.secondsForReply)
    defer { socket.end = nil }
    let message = BusMessage.call(
      member, of: name, path: path, interface: interface, arguments, serial: serial)
    try socket.send(message.encoded().withUnsafeBytes { Array($0) })
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
      guard early.add(event) else { throw socket.fail() }
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
  func takeDescriptor() -> Int32? { socket.takeDescriptor() }

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
    let prefix = try socket.receivePrefix()
    var rest = prefix.size - prefix.bytes.count
    guard rest <= BusMessage.largest else {
      while rest > 0 { rest -= try socket.receive(min(rest, 1 << 16)).count }
      return nil
    }
    let whole = try prefix.bytes + socket.receive(rest)
    return try? whole.withUnsafeBytes { try BusMessage(decoding: $0) }
  }
}
