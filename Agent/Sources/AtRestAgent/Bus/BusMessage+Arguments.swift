@_spi(Tools) import AtRestBus
import AtRestCrypto

/// The parts of messages that the agent reads on a bus.
extension BusMessage {
  /// The size of the largest message that is read from a bus.
  static let largest = 1 << 20

  /// The values of the body, or those in the only variant.
  private var arguments: [BusValue] {
    guard body.count == 1, case .variant(let value) = body[0] else { return body }
    if case .structure(let fields) = value { return fields }
    return [value]
  }

  /// The first argument, if it is a Boolean.
  var flag: Bool? { arguments.first?.flag }
  /// The first argument, if it is a number of 32 bits without a sign.
  var number: UInt32? { arguments.first?.number }
  /// The texts and paths among the first arguments, after a number.
  var texts: [String] {
    arguments.drop { $0.number != nil }.map(\.string).prefix { $0 != nil }.compactMap { $0 }
  }
  var text: String? { texts.first }

  /// Returns a call.
  ///
  /// - Parameters:
  ///   - name: The name of the program that is called.
  ///   - path: The path of the object. By default, it is the name with slashes.
  static func call(
    _ member: String, of name: String, path: String? = nil, interface: String,
    _ arguments: [BusValue], serial: UInt32
  ) -> BusMessage {
    BusMessage(
      .call, serial: serial,
      path: path ?? "/" + name.replacing(".", with: "/"), interface: interface, member: member,
      destination: name, arguments)
  }
}
