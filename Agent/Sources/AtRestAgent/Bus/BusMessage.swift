import AtRestCrypto
import Foundation

/// A message of D-Bus, as far as the agent needs it.
struct BusMessage: Equatable {
  enum Kind: UInt8 {
    case call = 1
    case reply, error, signal
  }

  /// The size of the largest message that is read.
  static let largest = 1 << 20
  /// The size of the part by which the whole size is known.
  static let prefixSize = 16

  /// An argument of a call.
  enum Argument {
    case text(String)
    case number(UInt32)
  }

  let kind: Kind
  /// The unique name of the sender, which the bus sets.
  let sender: String
  /// The program to which the message is sent, or empty for all that asked for it.
  let destination: String
  /// The object that sends a signal.
  let path: String
  let interface: String
  let member: String
  /// The serial number of the call that this message answers, or 0.
  let answered: UInt32
  /// The name of the error, if this is one.
  let errorName: String
  /// The first argument, if it is a Boolean, also one in a variant.
  let flag: Bool?
  /// The first argument, if it is a number of 32 bits without a sign, also one in a variant.
  let number: UInt32?
  /// The texts and paths of objects among the first arguments, also those in a variant with one of them or with
  /// two values.
  let texts: [String]
  var text: String? { texts.first }

  private static let malformed = AtRestError(
    .damaged, "A message of D-Bus is malformed.", remedy: "Restart the bus.")

  /// The size of the largest message of a bus (D-Bus specification).
  private static let largestOfBus = 1 << 27

  /// Returns the size of a whole message, which may be larger than ``largest``.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the first 16 bytes are not those of a message.
  static func size(prefix: [UInt8]) throws -> Int {
    var reader = try Reader(prefix)
    let body = Int(try reader.integer(at: 4))
    let fields = Int(try reader.integer(at: 12))
    guard body <= largestOfBus, fields <= largestOfBus else { throw malformed }
    return prefixSize + (fields + 7) / 8 * 8 + body
  }

  /// Reads a whole message.
  ///
  /// - Throws: ``AtRestError/Code/damaged``.
  init(decoding bytes: [UInt8]) throws {
    guard bytes.count <= Self.largest, try bytes.count == Self.size(prefix: bytes) else {
      throw Self.malformed
    }
    var reader = try Reader(bytes)
    guard let kind = Kind(rawValue: bytes[1]) else { throw Self.malformed }
    self.kind = kind
    let end = Self.prefixSize + Int(try reader.integer(at: 12))
    var (path, interface, member, signature) = ("", "", "", "")
    var (sender, destination, errorName) = ("", "", "")
    var answered: UInt32 = 0
    reader.offset = Self.prefixSize
    while reader.offset < end {
      reader.align(8)
      let field = try reader.byte()
      switch (field, try reader.signature()) {
      case (1, "o"): path = try reader.string()
      case (2, "s"): interface = try reader.string()
      case (3, "s"): member = try reader.string()
      case (4, "s"): errorName = try reader.string()
      case (5, "u"): answered = try reader.integer()
      case (6, "s"): destination = try reader.string()
      case (7, "s"): sender = try reader.string()
      case (8, "g"): signature = try reader.signature()
      case (_, "s"), (_, "o"): _ = try reader.string()
      case (_, "u"): _ = try reader.integer()
      case (_, "g"): _ = try reader.signature()
      default: throw Self.malformed
      }
    }
    guard reader.offset == end else { throw Self.malformed }
    reader.align(8)
    if signature == "v" {
      signature = try reader.signature()
      if ["(so)", "(uo)"].contains(signature) {
        reader.align(8)
        signature = String(signature.dropFirst().dropLast())
      }
    }
    flag = signature.hasPrefix("b") ? try reader.integer() != 0 : nil
    number = signature.hasPrefix("u") ? try reader.integer() : nil
    let rest = number == nil ? signature[...] : signature.dropFirst()
    texts = try rest.prefix { $0 == "s" || $0 == "o" }.map { _ in try reader.string() }
    (self.path, self.interface, self.member) = (path, interface, member)
    (self.sender, self.destination, self.errorName) = (sender, destination, errorName)
    self.answered = answered
  }

  /// Returns the bytes of a call.
  ///
  /// - Parameters:
  ///   - name: The name of the program that is called.
  ///   - path: The path of the object. By default, it is the name with slashes.
  static func call(
    _ member: String, of name: String, path: String? = nil, interface: String,
    _ arguments: [Argument], serial: UInt32
  ) -> [UInt8] {
    var fields: [UInt8] = []
    func align(_ bytes: inout [UInt8], _ size: Int) {
      while bytes.count % size != 0 { bytes.append(0) }
    }
    func integer(_ value: UInt32, into bytes: inout [UInt8]) {
      align(&bytes, 4)
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
    func string(_ value: String, into bytes: inout [UInt8]) {
      integer(UInt32(value.utf8.count), into: &bytes)
      bytes += Array(value.utf8) + [0]
    }
    func field(_ code: UInt8, _ type: String, _ value: String) {
      align(&fields, 8)
      fields += [code, 1] + Array(type.utf8) + [0]
      string(value, into: &fields)
    }
    field(1, "o", path ?? "/" + name.replacingOccurrences(of: ".", with: "/"))
    field(2, "s", interface)
    field(3, "s", member)
    field(6, "s", name)
    var (body, signature): ([UInt8], [UInt8]) = ([], [])
    for argument in arguments {
      switch argument {
      case .text(let text):
        signature.append(UInt8(ascii: "s"))
        string(text, into: &body)
      case .number(let number):
        signature.append(UInt8(ascii: "u"))
        integer(number, into: &body)
      }
    }
    if !signature.isEmpty {
      align(&fields, 8)
      fields += [8, 1, UInt8(ascii: "g"), 0, UInt8(signature.count)] + signature + [0]
    }
    var message: [UInt8] = [UInt8(ascii: "l"), Kind.call.rawValue, 0, 1]
    integer(UInt32(body.count), into: &message)
    integer(serial, into: &message)
    integer(UInt32(fields.count), into: &message)
    message += fields
    align(&message, 8)
    return message + body
  }

  private struct Reader {
    private let bytes: [UInt8]
    private let isLittle: Bool
    var offset = 0

    init(_ bytes: [UInt8]) throws {
      guard bytes.count >= BusMessage.prefixSize, bytes[3] == 1,
        bytes[0] == UInt8(ascii: "l") || bytes[0] == UInt8(ascii: "B")
      else { throw BusMessage.malformed }
      self.bytes = bytes
      isLittle = bytes[0] == UInt8(ascii: "l")
    }

    mutating func align(_ size: Int) { offset = (offset + size - 1) / size * size }

    mutating func byte() throws -> UInt8 {
      guard offset < bytes.count else { throw BusMessage.malformed }
      defer { offset += 1 }
      return bytes[offset]
    }

    mutating func integer() throws -> UInt32 {
      align(4)
      defer { offset += 4 }
      return try integer(at: offset)
    }

    mutating func integer(at start: Int) throws -> UInt32 {
      guard start + 4 <= bytes.count else { throw BusMessage.malformed }
      let value = bytes[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return isLittle ? value.byteSwapped : value
    }

    mutating func string() throws -> String { try text(Int(try integer())) }

    mutating func signature() throws -> String { try text(Int(try byte())) }

    private mutating func text(_ count: Int) throws -> String {
      guard count < bytes.count - offset, bytes[offset + count] == 0,
        let text = String(validating: bytes[offset..<offset + count], as: UTF8.self)
      else { throw BusMessage.malformed }
      offset += count + 1
      return text
    }
  }
}
