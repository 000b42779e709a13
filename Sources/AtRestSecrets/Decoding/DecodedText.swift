/// Bytes decoded from text, each with its position in the text.
@_spi(Tools) public struct DecodedText: Sendable {
  public private(set) var bytes: [UInt8]
  /// The start of each byte in the text. Like `ends`, it is empty if the bytes are the text itself.
  private var starts: [Int] = []
  private var ends: [Int] = []
  private let keepsPlaces: Bool

  /// Uses text as it is, without decoding it.
  public init(text: [UInt8]) {
    bytes = text
    keepsPlaces = false
  }

  /// Creates an empty decoded text.
  ///
  /// - Parameter keepsPlaces: False if only the bytes are needed.
  init(keepsPlaces: Bool) {
    bytes = []
    self.keepsPlaces = keepsPlaces
  }

  mutating func append(_ byte: UInt8, _ start: Int, _ end: Int) {
    bytes.append(byte)
    guard keepsPlaces else { return }
    starts.append(start)
    ends.append(end)
  }

  mutating func reserveCapacity(_ count: Int) { bytes.reserveCapacity(count) }

  /// Returns the range in the text from which a range of bytes was decoded. The range must not be
  /// empty.
  public func place(of range: Range<Int>) -> Range<Int> {
    starts.isEmpty ? range : starts[range.lowerBound]..<ends[range.upperBound - 1]
  }

  /// Returns the text with positions in the text from which `outer` was decoded. This text must be
  /// decoded from the bytes of `outer`.
  public func placed(in outer: DecodedText) -> DecodedText {
    guard !outer.starts.isEmpty else { return self }
    var result = self
    for index in bytes.indices {
      result.starts[index] = outer.starts[starts[index]]
      result.ends[index] = outer.ends[ends[index] - 1]
    }
    return result
  }
}
