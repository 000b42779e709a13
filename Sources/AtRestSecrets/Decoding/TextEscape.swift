/// An escape sequence of a text, and the bytes for which it stands.
///
/// The redactor, the auditor's search for canaries, and its reports read escapes with this type.
public struct TextEscape: Sendable {
  /// The index after the escape.
  public let end: Int
  /// The number of bytes for which the escape stands: none for a line break that is taken out, one, or those of a
  /// character in UTF-8.
  public private(set) var count = 0
  private var bytes = SIMD4<UInt8>()

  /// A kind of escapes.
  public enum Style: CaseIterable, Sendable {
    /// `%41` and `%u0041`.
    case percent
    /// The escapes of JSON, C, Swift and Python: `\n`, `\u0041`, `\u{41}`, `\x41`, `\101`.
    case backslash
    /// The entities of HTML and XML: `&amp;`, `&#65;`, `&#x41;`.
    case entity
    /// Quoted-printable: `=41`, and an equals sign at the end of a line.
    case quotedPrintable

    /// The byte with which an escape begins.
    public var mark: UInt8 {
      switch self {
      case .percent: 0x25
      case .backslash: 0x5C
      case .entity: 0x26
      case .quotedPrintable: 0x3D
      }
    }
  }

  init(_ end: Int) { self.end = end }

  init(_ end: Int, byte: UInt8) {
    self.end = end
    append(byte)
  }

  init(_ end: Int, scalar: Unicode.Scalar) {
    self.end = end
    for byte in UTF8.encode(scalar)! { append(byte) }
  }

  private mutating func append(_ byte: UInt8) {
    bytes[count] = byte
    count += 1
  }

  /// The byte at a place below ``count``.
  public subscript(place: Int) -> UInt8 { bytes[place] }

  /// Appends the bytes to others.
  public func append(to all: inout [UInt8]) {
    for place in 0..<count { all.append(bytes[place]) }
  }

  /// Reads the escape that begins at an index. Returns nil if no escape of this style begins there.
  ///
  /// - Parameter isStrict: False if a backslash before another letter stands for the letter, as in C.
  public static func read(
    _ style: Style, in text: UnsafeBufferPointer<UInt8>, at index: Int, isStrict: Bool = false
  ) -> TextEscape? {
    let reader = TextEscapeReader(text: text, start: index)
    return switch style {
    case .percent: reader.percent()
    case .backslash: reader.backslash(isStrict: isStrict)
    case .entity: reader.entity()
    case .quotedPrintable: reader.quotedPrintable()
    }
  }
}
