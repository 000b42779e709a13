/// Reads the fields of a message, and each byte at most once per level.
struct ProtobufReader {
  let bytes: [UInt8]
  private var room = ProtobufMessage.fieldLimit

  init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func message(in range: Range<Int>, depth: Int) -> ProtobufMessage? {
    guard depth < ProtobufMessage.depthLimit else { return nil }
    var fields: [ProtobufMessage.Field] = []
    var offset = range.lowerBound
    var evidence = 0.0
    while offset < range.upperBound {
      room -= 1
      guard room >= 0, let tag = varint(at: &offset, before: range.upperBound),
        let number = Int(exactly: tag >> 3), (1..<1 << 29).contains(number)
      else { return nil }
      // Field numbers are usually small, and those of random bytes are not.
      evidence += number <= 32 ? 2 : number <= 1000 ? 1 : 0
      guard
        let field = field(
          number, kind: Int(tag & 7), at: &offset, before: range.upperBound, depth: depth)
      else { return nil }
      switch field.value {
      case .text(let text): evidence += min(8, Double(text.utf8.count) / 2)
      case .message(let message): evidence += 8 * message.confidence
      default: break
      }
      fields.append(field)
    }
    return ProtobufMessage(fields: fields, confidence: evidence / (evidence + 8))
  }

  private mutating func field(
    _ number: Int, kind: Int, at offset: inout Int, before limit: Int, depth: Int
  ) -> ProtobufMessage.Field? {
    var start = offset
    let value: ProtobufMessage.Value
    switch kind {
    case 0:
      guard let number = varint(at: &offset, before: limit) else { return nil }
      value = .varint(number)
    case 1:
      guard limit - offset >= 8, let bits = bytes.littleEndian64(at: offset) else { return nil }
      value = .fixed64(bits)
      offset += 8
    case 2:
      guard let size = varint(at: &offset, before: limit), let length = Int(exactly: size),
        length <= limit - offset
      else { return nil }
      start = offset
      offset += length
      value = content(of: start..<offset, depth: depth)
    case 5:
      guard limit - offset >= 4, let bits = bytes.littleEndian(at: offset, size: 4) else {
        return nil
      }
      value = .fixed32(UInt32(truncatingIfNeeded: bits))
      offset += 4
    default: return nil
    }
    return ProtobufMessage.Field(number: number, value: value, offset: start)
  }

  /// Text without control characters is read as a string. Text with line ends may be a message,
  /// because a line end can be its first tag.
  private mutating func content(of range: Range<Int>, depth: Int) -> ProtobufMessage.Value {
    if range.isEmpty { return .bytes([]) }
    let slice = bytes[range]
    let isText = slice.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
    let text = isText ? String(validating: slice, as: UTF8.self) : nil
    if let text, slice.allSatisfy({ $0 >= 0x20 }) { return .text(text) }
    let before = room
    if let message = message(in: range, depth: depth + 1), text == nil || message.confidence > 0.5 {
      return .message(message)
    }
    // An attempt that found no message has taken time, but its fields do not count.
    room = before - 1
    return text.map { .text($0) } ?? .bytes(Array(slice))
  }

  private func varint(at offset: inout Int, before limit: Int) -> UInt64? {
    var result: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard offset < limit else { return nil }
      let byte = UInt64(bytes[offset])
      offset += 1
      if shift == 63, byte > 1 { return nil }
      result |= (byte & 0x7F) << shift
      if byte < 0x80 { return result }
    }
    return nil
  }
}
