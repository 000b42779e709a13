/// The round keys of AES-256 (FIPS-197), as code that encrypts or decrypts keeps them in memory.
package struct AESKeySchedule {
  /// The 15 round keys of encryption. The first two are the key.
  package let forward: [[UInt8]]
  /// The 13 inner round keys of decryption (the equivalent inverse cipher), after InvMixColumns.
  /// The two outer ones are those of encryption.
  package let inverse: [[UInt8]]

  package init(key: [UInt8]) {
    precondition(key.count == 32)
    var words = (0..<8).map { Array(key[4 * $0..<4 * $0 + 4]) }
    var constant: UInt8 = 1
    for index in 8..<60 {
      var word = words[index - 1]
      if index % 8 == 0 {
        word = [word[1], word[2], word[3], word[0]].map(Self.substitute)
        word[0] ^= constant
        constant = Self.double(constant)
      } else if index % 8 == 4 {
        word = word.map(Self.substitute)
      }
      words.append(zip(words[index - 8], word).map { $0 ^ $1 })
    }
    forward = (0..<15).map { round in Array(words[4 * round..<4 * round + 4].joined()) }
    inverse = (1..<14).map { round in
      Array(words[4 * round..<4 * round + 4].map(Self.inverseMixColumn).joined())
    }
  }

  private static let boxes: [UInt8] = (0...255).map { number in
    // The inverse in the field, computed from the order of its group: x^254.
    var inverse: UInt8 = 1
    for _ in 0..<254 { inverse = multiply(inverse, UInt8(number)) }
    if number == 0 { inverse = 0 }
    var result: UInt8 = 0x63
    for shift in 0..<5 { result ^= inverse << shift | inverse >> (8 - shift) }
    return result
  }

  private static func substitute(_ byte: UInt8) -> UInt8 { boxes[Int(byte)] }

  private static func double(_ byte: UInt8) -> UInt8 { byte << 1 ^ (byte & 0x80 != 0 ? 0x1b : 0) }

  private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var result: UInt8 = 0
    var (a, b) = (a, b)
    while b > 0 {
      if b & 1 != 0 { result ^= a }
      a = double(a)
      b >>= 1
    }
    return result
  }

  private static func inverseMixColumn(_ word: [UInt8]) -> [UInt8] {
    (0..<4).map { row in
      let factors: [UInt8] = [14, 11, 13, 9]
      return (0..<4).reduce(0) { $0 ^ multiply(word[$1], factors[($1 - row + 4) % 4]) }
    }
  }
}
