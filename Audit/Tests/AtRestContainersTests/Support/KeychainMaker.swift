import Crypto
import CryptoExtras
import Foundation

/// Seals keychain items as backups store them, from the description of the format alone.
struct KeychainMaker {
  var keybag = KeybagMaker()

  /// Returns an item of version 3: DER sealed with AES-256-GCM without a nonce.
  func blob(_ attributes: [(String, DER)], class number: UInt32) throws -> Data {
    try blob(version: 3, DER.dictionary(attributes).encoded, class: number)
  }

  func blob(version: UInt32, _ plaintext: Data, class number: UInt32) throws -> Data {
    let key = SymmetricKey(data: Data(repeating: 0x77, count: 32))
    let wrapped = try keybag.wrap(key, class: number)
    let head = Self.word(version) + Self.word(number)
    if version == 0 { return head + wrapped + (try KeybagMaker.encrypt(plaintext, key: key)) }
    return try head + Self.word(40) + wrapped + Self.seal(plaintext, key: key)
  }

  /// Seals as SP 800-38D says, with an empty IV: the first counter block is the hash of no data.
  static func seal(_ plaintext: Data, key: SymmetricKey) throws -> Data {
    let zero = [UInt8](repeating: 0, count: 16)
    var subkey = zero
    try AES.permute(&subkey, key: key)
    let first = zero.dropLast() + [1]
    let ciphertext = try AES._CTR.encrypt(
      plaintext, using: key, nonce: AES._CTR.Nonce(nonceBytes: first))
    var hash = zero
    let padded = [UInt8](ciphertext) + zero.prefix((16 - ciphertext.count % 16) % 16)
    let lengths = withUnsafeBytes(of: UInt64(ciphertext.count * 8).bigEndian) { Array($0) }
    let blocks = padded + zero.prefix(8) + lengths
    for start in stride(from: 0, to: blocks.count, by: 16) {
      for index in 0..<16 { hash[index] ^= blocks[start + index] }
      hash = product(hash, subkey)
    }
    return ciphertext + zip(hash, subkey).map { $0 ^ $1 }
  }

  private static func product(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
    var result = [UInt8](repeating: 0, count: 16)
    var factor = right
    for bit in 0..<128 {
      if left[bit / 8] >> (7 - bit % 8) & 1 == 1 {
        for index in 0..<16 { result[index] ^= factor[index] }
      }
      let isOdd = factor[15] & 1 == 1
      for index in (0..<16).reversed() {
        factor[index] = factor[index] >> 1 | (index > 0 ? factor[index - 1] << 7 : 0)
      }
      if isOdd { factor[0] ^= 0xE1 }
    }
    return result
  }

  private static func word(_ number: UInt32) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}
