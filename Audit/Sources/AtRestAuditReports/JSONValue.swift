/// A JSON value whose objects keep the order of their keys, for formats that people also read.
indirect enum JSONValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  /// Creates an object without the keys whose values are nil.
  static func object(_ pairs: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(pairs.compactMap { key, value in value.map { (key, $0) } })
  }

  static func strings(_ values: some Sequence<String>) -> JSONValue {
    .array(values.map(JSONValue.string))
  }

  /// The value as indented JSON text.
  var text: String {
    var output: [UInt8] = []
    write(to: &output, indentation: 0)
    output.append(0x0A)
    return String(decoding: output, as: UTF8.self)
  }

  /// The approximate number of bytes of the text without indentation.
  var size: Int {
    switch self {
    case .null, .bool: 5
    case .integer, .number: 8
    case .string(let text): text.utf8.count + 3
    case .array(let values): values.reduce(2) { $0 + $1.size }
    case .object(let pairs): pairs.reduce(2) { $0 + $1.0.utf8.count + 4 + $1.1.size }
    }
  }

  private func write(to output: inout [UInt8], indentation: Int) {
    func newLine(_ depth: Int) {
      output.append(0x0A)
      output.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }
    func list<Element>(
      _ elements: [Element], _ open: Character, _ close: Character,
      _ body: (Element, inout [UInt8]) -> Void
    ) {
      output.append(contentsOf: String(open).utf8)
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        newLine(indentation + 1)
        body(element, &output)
      }
      if !elements.isEmpty { newLine(indentation) }
      output.append(contentsOf: String(close).utf8)
    }
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): output.append(contentsOf: String(value).utf8)
    case .number(let value):
      output.append(contentsOf: (value.isFinite ? "\(value)" : "0").utf8)
    case .string(let text): Self.write(text, to: &output)
    case .array(let values):
      list(values, "[", "]") { $0.write(to: &$1, indentation: indentation + 1) }
    case .object(let pairs):
      list(pairs, "{", "}") { pair, output in
        Self.write(pair.0, to: &output)
        output.append(contentsOf: ": ".utf8)
        pair.1.write(to: &output, indentation: indentation + 1)
      }
    }
  }

  private static let digits = Array("0123456789abcdef".utf8)

  private static func write(_ text: String, to output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
      case 0x0A: output += [UInt8(ascii: "\\"), UInt8(ascii: "n")]
      case 0x09: output += [UInt8(ascii: "\\"), UInt8(ascii: "t")]
      case 0..<0x20, 0x7F:
        output.append(contentsOf: "\\u00".utf8)
        output += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(booleanLiteral value: Bool) { self = .bool(value) }
  init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(elements) }
}
