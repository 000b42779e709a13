@_spi(Tools) import AtRestCrypto

/// A message of D-Bus.
///
/// Source: D-Bus Specification 0.43, *Message Protocol*.
@_spi(Tools) public struct BusMessage: Equatable, Sendable {
  /// The kinds of messages.
  public enum Kind: UInt8, Sendable {
    case call = 1
    case reply, error, signal
  }

  public var kind: Kind
  /// The number of the message among those of its sender.
  public var serial: UInt32
  /// False for a call that wants no answer.
  public var wantsReply = true
  /// The object that is called or that sends a signal.
  public var path: String?
  public var interface: String?
  /// The name of the method or signal.
  public var member: String?
  /// The name of the error.
  public var errorName: String?
  /// The number of the call that this message answers.
  public var answered: UInt32?
  /// The program to which the message is sent, or nil for all that asked for it.
  public var destination: String?
  /// The unique name of the sender, which the bus sets.
  public var sender: String?
  /// The number of descriptors that come with the message.
  public var descriptors: UInt32 = 0
  public var body: [BusValue] = []

  /// Creates a message.
  public init(
    _ kind: Kind, serial: UInt32 = 1, path: String? = nil, interface: String? = nil,
    member: String? = nil, destination: String? = nil, _ body: [BusValue] = []
  ) {
    self.kind = kind
    self.serial = serial
    self.path = path
    self.interface = interface
    self.member = member
    self.destination = destination
    self.body = body
  }

  /// Returns the answer to this call.
  public func reply(_ body: [BusValue] = []) -> BusMessage {
    var message = BusMessage(.reply, body)
    message.answered = serial
    message.destination = sender
    return message
  }

  /// Returns the answer that this call failed.
  public func failure(_ name: String, _ text: String) -> BusMessage {
    var message = BusMessage(.error, [.text(text)])
    message.errorName = name
    message.answered = serial
    message.destination = sender
    return message
  }

  // MARK: Bytes

  /// The size of the part by which the whole size is known.
  public static let prefixSize = 16
  /// The size of the largest message of a bus.
  public static let largestOfBus = 1 << 27
  /// The number of values in a message that is read, unless the caller says another one.
  public static let mostValues = 1 << 16

  private static let bigEndian = UInt8(ascii: "B")
  private static let littleEndian = UInt8(ascii: "l")
  private static let noReply: UInt8 = 1

  /// Returns the size of a whole message.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the first 16 bytes are not those of a message.
  public static func size(prefix: UnsafeRawBufferPointer) throws -> Int {
    try sizes(prefix: prefix).whole
  }

  /// Returns the sizes of the header, which comes first, and of a whole message.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the first 16 bytes are not those of a message.
  public static func sizes(
    prefix: UnsafeRawBufferPointer
  ) throws -> (header: Int, whole: Int) {
    guard prefix.count >= prefixSize, prefix[3] == 1 else { throw BusError.malformed }
    var reader = try reader(prefix, mostValues: 0)
    reader.offset = 4
    let body = Int(try reader.integer(UInt32.self))
    reader.offset = 12
    let fields = Int(try reader.integer(UInt32.self))
    let header = prefixSize + (fields + 7) / 8 * 8
    guard fields <= BusReader.largestArray, header + body <= largestOfBus else {
      throw BusError.malformed
    }
    return (header, header + body)
  }

  private static func reader(
    _ bytes: UnsafeRawBufferPointer, mostValues: Int
  ) throws -> BusReader {
    guard let order = bytes.first, order == bigEndian || order == littleEndian else {
      throw BusError.malformed
    }
    return BusReader(bytes, isBigEndian: order == bigEndian, mostValues: mostValues)
  }

  /// Reads a whole message.
  ///
  /// - Parameter mostValues: The number of values that the message may have, because they take more memory than
  ///   its bytes.
  /// - Throws: ``AtRestError/Code/damaged`` for anything that the specification does not allow.
  public init(
    decoding bytes: UnsafeRawBufferPointer, mostValues: Int = BusMessage.mostValues
  ) throws {
    guard try bytes.count == Self.size(prefix: bytes) else { throw BusError.malformed }
    var reader = try Self.reader(bytes, mostValues: mostValues)
    var signature = ""
    try self.init(header: &reader, &signature)
    body = try BusType.types(of: signature).map { try reader.value($0) }
    guard reader.offset == bytes.count else { throw BusError.malformed }
  }

  /// Reads the header of a message that is too large to be read whole. The result has no body.
  ///
  /// - Parameter bytes: The header, and any part of the body.
  /// - Throws: ``AtRestError/Code/damaged`` for anything that the specification does not allow.
  public init(decodingHeader bytes: UnsafeRawBufferPointer) throws {
    let size = try Self.sizes(prefix: bytes).header
    guard bytes.count >= size else { throw BusError.malformed }
    var reader = try Self.reader(
      UnsafeRawBufferPointer(rebasing: bytes[..<size]), mostValues: Self.mostValues)
    var signature = ""
    try self.init(header: &reader, &signature)
  }

  private init(header reader: inout BusReader, _ signature: inout String) throws {
    guard let kind = Kind(rawValue: reader.bytes[1]) else { throw BusError.malformed }
    reader.offset = 8
    self.init(kind, serial: try reader.integer())
    wantsReply = reader.bytes[2] & Self.noReply == 0
    let fieldsEnd = Self.prefixSize + Int(try reader.integer(UInt32.self))
    signature = try readFields(&reader, end: fieldsEnd)
    try reader.align(8)
    guard serial != 0, isComplete else { throw BusError.malformed }
  }

  /// Reads the fields of the header, and returns the signature of the body.
  private mutating func readFields(_ reader: inout BusReader, end: Int) throws -> String {
    let whole = reader.end
    guard end <= whole else { throw BusError.malformed }
    reader.end = end
    defer { reader.end = whole }
    var signature = ""
    var seen: Set<UInt8> = []
    while reader.offset < end {
      try reader.align(8)
      let code: UInt8 = try reader.integer()
      let value = try reader.value(.variant)
      guard code != 0, seen.insert(code).inserted, case .variant(let value) = value else {
        throw BusError.malformed
      }
      switch (code, value) {
      case (1, .path(let text)): path = text
      case (2, .text(let text)): interface = text
      case (3, .text(let text)): member = text
      case (4, .text(let text)): errorName = text
      case (5, .uint32(let number)): answered = number
      case (6, .text(let text)): destination = text
      case (7, .text(let text)): sender = text
      case (8, .signature(let text)): signature = text
      case (9, .uint32(let number)): descriptors = number
      // Fields of later versions are ignored.
      case (10..., _): break
      default: throw BusError.malformed
      }
    }
    return signature
  }

  /// True if the message has the fields that its kind requires.
  private var isComplete: Bool {
    switch kind {
    case .call: path != nil && member != nil
    case .signal: path != nil && interface != nil && member != nil
    case .reply: answered != nil
    case .error: answered != nil && errorName != nil
    }
  }

  /// Returns the bytes of the message.
  public func encoded() -> SecretBytes {
    var header = BusWriter()
    var content = BusWriter()
    defer {
      header.erase()
      content.erase()
    }
    body.forEach { content.value($0) }
    [Self.littleEndian, kind.rawValue, wantsReply ? 0 : Self.noReply, 1].forEach {
      header.integer($0)
    }
    header.integer(UInt32(content.bytes.count))
    header.integer(serial)
    header.value(.array(.structure([.byte, .variant]), fields))
    header.align(8)
    let start = header.bytes.count
    return SecretBytes(count: start + content.bytes.count) { bytes in
      bytes.copyBytes(from: header.bytes)
      UnsafeMutableRawBufferPointer(rebasing: bytes[start...]).copyBytes(from: content.bytes)
    }
  }

  private var fields: [BusValue] {
    var fields: [BusValue] = []
    func add(_ code: UInt8, _ value: BusValue?) {
      if let value { fields.append(.structure([.byte(code), .variant(value)])) }
    }
    add(1, path.map { .path($0) })
    add(2, interface.map { .text($0) })
    add(3, member.map { .text($0) })
    add(4, errorName.map { .text($0) })
    add(5, answered.map { .uint32($0) })
    add(6, destination.map { .text($0) })
    add(7, sender.map { .text($0) })
    let signature = body.map(\.type.letters).joined()
    add(8, signature.isEmpty ? nil : .signature(signature))
    add(9, descriptors == 0 ? nil : .uint32(descriptors))
    return fields
  }
}
