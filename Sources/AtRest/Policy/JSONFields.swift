import Foundation

/// The fields of the outermost objects of a text in JSON: of the object itself, or of the objects in
/// an array.
///
/// The text must be valid, such as the output of `JSONEncoder`.
struct JSONFields {
  /// The form of a field's value.
  enum Shape {
    /// A Boolean value or null.
    case flag
    /// A string, a number or an array.
    case text
    /// An object.
    case container
  }

  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// Returns the name of the first field that satisfies a condition, or nil if none does.
  func first(where isMatch: (String, Shape) -> Bool) -> String? {
    var (index, depth) = (0, 0)
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"): depth -= 1
      case UInt8(ascii: "\""):
        let end = endOfString(at: index)
        // A string before a colon is the name of a field.
        if depth == 1, let value = value(after: end), isMatch(text(index..<end), value) {
          return text(index..<end)
        }
        index = end
        continue
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Returns the index after the closing quotation mark of the string that begins at an index.
  private func endOfString(at start: Int) -> Int {
    var index = start + 1
    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    return min(index + 1, bytes.count)
  }

  /// Returns the shape of the value that follows a colon, or nil if there is no colon.
  private func value(after end: Int) -> Shape? {
    guard let colon = visible(from: end), bytes[colon] == UInt8(ascii: ":"),
      let start = visible(from: colon + 1)
    else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): return .flag
    // `{"_0":` begins the associated value of an enumeration's case.
    case UInt8(ascii: "{"): return bytes[start...].starts(with: "{\"_0\"".utf8) ? .text : .container
    default: return .text
    }
  }

  private func visible(from start: Int) -> Int? {
    bytes.indices.dropFirst(start).first { bytes[$0] > UInt8(ascii: " ") }
  }

  /// Returns the text of a string, given with its quotation marks.
  private func text(_ range: Range<Int>) -> String {
    let quoted = bytes[range]
    guard quoted.contains(UInt8(ascii: "\\")) else {
      return String(decoding: quoted.dropFirst().dropLast(), as: UTF8.self)
    }
    return (try? JSONDecoder().decode(String.self, from: Data(quoted))) ?? ""
  }
}
