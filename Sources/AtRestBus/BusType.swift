import AtRestCrypto

/// A single complete type of D-Bus.
///
/// Source: D-Bus Specification 0.43, *Type System*.
@_spi(Tools) public indirect enum BusType: Hashable, Sendable {
  case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
  case text, path, signature, descriptor
  case variant
  case array(BusType)
  case structure([BusType])
  /// An entry of a dictionary, which is an array of entries.
  case entry(BusType, BusType)

  /// `as`, `ao`, `ay`, `a{sv}` and `a{ss}`.
  public static let texts = BusType.array(.text)
  public static let paths = BusType.array(.path)
  public static let bytes = BusType.array(.byte)
  public static let properties = BusType.array(.entry(.text, .variant))
  public static let attributes = BusType.array(.entry(.text, .text))

  /// The size of the longest signature in bytes.
  static let longestSignature = 255
  /// The deepest nesting of arrays, and of structures.
  static let deepest = 32

  /// The letters of the type.
  public var letters: String {
    switch self {
    case .byte: "y"
    case .boolean: "b"
    case .int16: "n"
    case .uint16: "q"
    case .int32: "i"
    case .uint32: "u"
    case .int64: "x"
    case .uint64: "t"
    case .double: "d"
    case .text: "s"
    case .path: "o"
    case .signature: "g"
    case .descriptor: "h"
    case .variant: "v"
    case .array(let element): "a" + element.letters
    case .structure(let fields): "(" + fields.map(\.letters).joined() + ")"
    case .entry(let key, let value): "{" + key.letters + value.letters + "}"
    }
  }

  /// The multiple of bytes at which a value of the type begins.
  var alignment: Int {
    switch self {
    case .byte, .signature, .variant: 1
    case .int16, .uint16: 2
    case .boolean, .int32, .uint32, .text, .path, .descriptor, .array: 4
    case .int64, .uint64, .double, .structure, .entry: 8
    }
  }

  /// True for a type without parts, which the key of an entry has to be.
  var isBasic: Bool {
    switch self {
    case .variant, .array, .structure, .entry: false
    default: true
    }
  }

  private static let basic: [UInt8: BusType] = [
    UInt8(ascii: "y"): .byte, UInt8(ascii: "b"): .boolean, UInt8(ascii: "n"): .int16,
    UInt8(ascii: "q"): .uint16, UInt8(ascii: "i"): .int32, UInt8(ascii: "u"): .uint32,
    UInt8(ascii: "x"): .int64, UInt8(ascii: "t"): .uint64, UInt8(ascii: "d"): .double,
    UInt8(ascii: "s"): .text, UInt8(ascii: "o"): .path, UInt8(ascii: "g"): .signature,
    UInt8(ascii: "h"): .descriptor, UInt8(ascii: "v"): .variant,
  ]

  /// Reads a signature: any number of types.
  ///
  /// - Throws: ``AtRestError/Code/damaged``.
  public static func types(of signature: String) throws -> [BusType] {
    var rest = Array(signature.utf8)[...]
    guard rest.count <= longestSignature else { throw BusError.malformed }
    var types: [BusType] = []
    while !rest.isEmpty { types.append(try first(&rest, arrays: 0, structures: 0)) }
    return types
  }

  private static func first(
    _ rest: inout ArraySlice<UInt8>, arrays: Int, structures: Int
  ) throws -> BusType {
    guard let letter = rest.popFirst(), arrays <= deepest, structures <= deepest else {
      throw BusError.malformed
    }
    if let type = basic[letter] { return type }
    switch letter {
    case UInt8(ascii: "a"):
      guard rest.first == UInt8(ascii: "{") else {
        return .array(try first(&rest, arrays: arrays + 1, structures: structures))
      }
      rest.removeFirst()
      let key = try first(&rest, arrays: arrays + 1, structures: structures + 1)
      let value = try first(&rest, arrays: arrays + 1, structures: structures + 1)
      guard key.isBasic, rest.popFirst() == UInt8(ascii: "}") else { throw BusError.malformed }
      return .array(.entry(key, value))
    case UInt8(ascii: "("):
      var fields: [BusType] = []
      while rest.first != UInt8(ascii: ")") {
        fields.append(try first(&rest, arrays: arrays, structures: structures + 1))
      }
      rest.removeFirst()
      guard !fields.isEmpty else { throw BusError.malformed }
      return .structure(fields)
    default: throw BusError.malformed
    }
  }
}

/// The errors of the codec.
@_spi(Tools) public enum BusError {
  /// Bytes that are no message of D-Bus.
  public static let malformed = AtRestError(
    .damaged, "A message of D-Bus is malformed.", remedy: "Restart the program that sent it.")
}
