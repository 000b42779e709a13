@_spi(Tools) import AtRestCrypto

/// A value of D-Bus.
@_spi(Tools) public indirect enum BusValue: Equatable, Sendable {
  case byte(UInt8)
  case boolean(Bool)
  case int16(Int16)
  case uint16(UInt16)
  case int32(Int32)
  case uint32(UInt32)
  case int64(Int64)
  case uint64(UInt64)
  case double(Double)
  case text(String)
  case path(String)
  case signature(String)
  /// The index of a descriptor that comes with the message.
  case descriptor(UInt32)
  case variant(BusValue)
  /// An array of bytes, which may be a secret.
  case bytes(BusBytes)
  /// An array of other values. It has its type, because it may be empty.
  case array(BusType, [BusValue])
  case structure([BusValue])
  case entry(BusValue, BusValue)

  /// The type of the value.
  public var type: BusType {
    switch self {
    case .byte: .byte
    case .boolean: .boolean
    case .int16: .int16
    case .uint16: .uint16
    case .int32: .int32
    case .uint32: .uint32
    case .int64: .int64
    case .uint64: .uint64
    case .double: .double
    case .text: .text
    case .path: .path
    case .signature: .signature
    case .descriptor: .descriptor
    case .variant: .variant
    case .bytes: .bytes
    case .array(let element, _): .array(element)
    case .structure(let fields): .structure(fields.map(\.type))
    case .entry(let key, let value): .entry(key.type, value.type)
    }
  }

  // MARK: Making

  /// Returns bytes, which are erased when nothing needs them any more.
  public static func bytes(_ bytes: some Sequence<UInt8>) -> BusValue { .bytes(BusBytes(bytes)) }
  /// Returns an array of paths.
  public static func paths(_ paths: [String]) -> BusValue { .array(.path, paths.map { .path($0) }) }
  /// Returns an array of texts.
  public static func texts(_ texts: [String]) -> BusValue { .array(.text, texts.map { .text($0) }) }
  /// Returns a dictionary of texts, in the order of the names.
  public static func attributes(_ attributes: [String: String]) -> BusValue {
    .array(
      .entry(.text, .text),
      attributes.sorted { $0.key < $1.key }.map { .entry(.text($0.key), .text($0.value)) })
  }
  /// Returns a dictionary of values, in the order of the names.
  public static func properties(_ properties: [String: BusValue]) -> BusValue {
    .array(
      .entry(.text, .variant),
      properties.sorted { $0.key < $1.key }.map { .entry(.text($0.key), .variant($0.value)) })
  }

  // MARK: Reading

  /// The text, path or signature, also in a variant.
  public var string: String? {
    switch self {
    case .text(let text), .path(let text), .signature(let text): text
    case .variant(let value): value.string
    default: nil
    }
  }
  /// The Boolean, also in a variant.
  public var flag: Bool? {
    switch self {
    case .boolean(let flag): flag
    case .variant(let value): value.flag
    default: nil
    }
  }
  /// The number of 32 bits without a sign, also in a variant.
  public var number: UInt32? {
    switch self {
    case .uint32(let number): number
    case .variant(let value): value.number
    default: nil
    }
  }
  /// The elements of an array or the fields of a structure, also in a variant.
  public var elements: [BusValue]? {
    switch self {
    case .array(_, let values), .structure(let values): values
    case .variant(let value): value.elements
    default: nil
    }
  }
  /// The bytes of an array of bytes, also in a variant.
  public var content: BusBytes? {
    switch self {
    case .bytes(let bytes): bytes
    case .variant(let value): value.content
    default: nil
    }
  }
  /// The entries of a dictionary with texts as keys, also in a variant. The result is nil if two keys are the same
  /// text, in whatever spelling of Unicode.
  public var dictionary: [String: BusValue]? {
    guard let elements else { return nil }
    var result: [String: BusValue] = [:]
    for element in elements {
      guard case .entry(let key, let value) = element, let key = key.string,
        result.updateValue(value, forKey: key) == nil
      else { return nil }
    }
    return result
  }
}

/// Bytes of a message, which are overwritten when nothing needs them any more.
@_spi(Tools) public final class BusBytes: Equatable, Sendable {
  private let memory: SecretBox

  /// Copies bytes.
  public init(_ bytes: some Sequence<UInt8>) {
    var copy = Array(bytes)
    defer { copy.withUnsafeMutableBytes { $0.erase() } }
    memory = SecretBox(SecretBytes(count: copy.count) { $0.copyBytes(from: copy) })
  }

  init(copying bytes: UnsafeRawBufferPointer) { memory = SecretBox(SecretBytes(copying: bytes)) }

  /// Takes a secret over.
  public init(_ secret: consuming SecretBytes) { memory = SecretBox(secret) }

  /// The number of bytes.
  public var count: Int { memory.bytes.count }

  /// Calls a closure with the bytes, which it must not keep.
  public func withUnsafeBytes<Result: ~Copyable, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result { try memory.bytes.withUnsafeBytes(body) }

  public static func == (one: BusBytes, other: BusBytes) -> Bool {
    one.withUnsafeBytes { bytes in other.withUnsafeBytes { bytes.elementsEqual($0) } }
  }
}
