/// A change in a store of MMKV: a key that got a value, or that was removed.
package struct MMKVRecord: Sendable {
  package let key: String
  /// The value, or nil if the key was removed.
  package let value: [UInt8]?
  /// True if a later change replaces or removes the value. Its bytes stay until the file is written anew, and often
  /// longer.
  package let isReplaced: Bool
  /// The offset of the change in the file, in bytes.
  package let offset: Int

  /// The meaning of a value. A store does not say which type a value has.
  package enum Content: Sendable {
    /// A text or bytes.
    case data(ArraySlice<UInt8>)
    /// A list of texts.
    case list([ArraySlice<UInt8>])
    /// Numbers, one for each type that the value may have.
    case numbers([String])
  }

  private static let timeSize = 4

  /// Interprets a value.
  ///
  /// - Parameter expires: True if the time at which the value expires follows it.
  package static func content(of value: [UInt8], expires: Bool) -> Content {
    let bytes = expires ? value.dropLast(timeSize) : value[...]
    var reader = LittleCursor(bytes)
    if let data = reader.sizedBytes(), reader.left == 0 {
      if let list = list(data) { return .list(list) }
      return .data(data)
    }
    let numbers = numbers(bytes)
    return numbers.isEmpty ? .data(bytes) : .numbers(numbers)
  }

  /// Splits data into texts, each after its size, or returns nil if the data is text itself or anything else.
  private static func list(_ data: ArraySlice<UInt8>) -> [ArraySlice<UInt8>]? {
    guard let first = data.first, first < 0x20 || first >= 0x80 else { return nil }
    var reader = LittleCursor(data)
    var texts: [ArraySlice<UInt8>] = []
    while reader.left > 0 {
      guard let text = reader.sizedBytes(),
        text.allSatisfy({ $0 >= 0x20 || (9...13).contains($0) }),
        String(validating: text, as: UTF8.self) != nil
      else { return nil }
      texts.append(text)
    }
    return texts
  }

  private static func numbers(_ bytes: ArraySlice<UInt8>) -> [String] {
    var numbers: [String] = []
    if let integer = integer(bytes) {
      numbers.append(String(integer))
    }
    let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    switch bytes.count {
    case 8: numbers.append(String(Double(bitPattern: bits)))
    case 4: numbers.append(String(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    default: break
    }
    return numbers
  }

  /// Reads a number in groups of seven bits that takes all bytes.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64? {
    guard (1...10).contains(bytes.count), bytes.last.map({ $0 < 0x80 }) == true,
      bytes.dropLast().allSatisfy({ $0 >= 0x80 })
    else { return nil }
    return bytes.reversed().reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
  }
}
