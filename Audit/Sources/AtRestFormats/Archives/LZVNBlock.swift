/// A block of LZVN, which LZFSE uses for short data.
///
/// The format is that of Apple's reference implementation (github.com/lzfse/lzfse, BSD licence).
enum LZVNBlock {
  /// An instruction: literals that follow it, then a match.
  private struct Instruction {
    /// The number of its bytes, without the literals.
    var size: Int
    var literals: Int
    var match = 0
    /// The distance of the match, or nil for that of the match before.
    var distance: Int?
  }

  /// Unpacks a block.
  ///
  /// - Parameters:
  ///   - size: The size of the unpacked block.
  ///   - output: The bytes before the block, to which its bytes are added.
  /// - Returns: False if the block is damaged.
  static func unpack(_ packed: [UInt8], size: Int, onto output: inout [UInt8]) -> Bool {
    let end = output.count + size
    var place = 0
    var distance = 0
    while place < packed.count {
      // The end is an instruction of eight bytes.
      if packed[place] == 6 { return place + 8 == packed.count && output.count == end }
      guard let next = instruction(packed, at: place),
        packed.count - place > next.size + next.literals,
        output.count + next.literals + next.match <= end
      else { return false }
      place += next.size
      output += packed[place..<place + next.literals]
      place += next.literals
      distance = next.distance ?? distance
      guard output.repeatBytes(next.match, from: distance) else { return false }
    }
    return false
  }

  private static func instruction(_ packed: [UInt8], at place: Int) -> Instruction? {
    let code = Int(packed[place])
    func byte(_ offset: Int) -> Int {
      place + offset < packed.count ? Int(packed[place + offset]) : 0
    }
    switch code {
    case 14, 22: return Instruction(size: 1, literals: 0)
    case 0xA0...0xBF:
      let word = byte(1) | byte(2) << 8
      return Instruction(
        size: 3, literals: code >> 3 & 3, match: (code & 7) << 2 + word & 3 + 3,
        distance: word >> 2)
    case 0xE0: return Instruction(size: 2, literals: byte(1) + 16)
    case 0xE1...0xEF: return Instruction(size: 1, literals: code & 15)
    case 0xF0: return Instruction(size: 2, literals: 0, match: byte(1) + 16)
    case 0xF1...0xFF: return Instruction(size: 1, literals: 0, match: code & 15)
    case 0x70...0x7F, 0xD0...0xDF: return nil
    default: break
    }
    let (literals, match) = (code >> 6, code >> 3 & 7 + 3)
    switch code & 7 {
    case 7:
      return Instruction(
        size: 3, literals: literals, match: match, distance: byte(1) | byte(2) << 8)
    case 6:
      // Without literals, these codes have other meanings or none.
      return literals == 0 ? nil : Instruction(size: 1, literals: literals, match: match)
    default:
      return Instruction(
        size: 2, literals: literals, match: match, distance: (code & 7) << 8 | byte(1))
    }
  }
}
