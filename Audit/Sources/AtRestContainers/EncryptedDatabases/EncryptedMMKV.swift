import AtRestFormats
import Crypto
import CryptoExtras

/// An encrypted store of MMKV, on which keys are tried.
///
/// The contents are encrypted with AES in CFB mode. The key is a text or bytes of any length, of which MMKV uses the
/// first 16, or 32, and adds zeros.
///
/// - Warning: **Unauthenticated.** The checksum of a store is that of its encrypted contents.
///
/// Source: MMKV's `AESCrypt.cpp`.
struct EncryptedMMKV: LockedFile {
  /// The size in bytes of what is not encrypted at the beginning.
  private static let clear = 4
  private static let blockSize = 16
  private static let keySizes = [16, 32]
  /// The version since which the IV is random, and in the file beside the store.
  private static let ivVersion = 2

  private let source: ByteSource
  private let state: MMKVState
  private let firstBlock: [UInt8]

  init(_ source: ByteSource, _ state: MMKVState) throws(FormatError) {
    self.source = source
    self.state = state
    firstBlock = Array(try source.prefix(Self.clear + Self.blockSize).dropFirst(Self.clear))
  }

  var keys: LockedFileKeys { .any }
  var takesPassphrases: Bool { false }

  func open(withPassphrase bytes: [UInt8]) throws -> UnlockedFile? { nil }

  func open(withKey bytes: [UInt8]) throws -> UnlockedFile? {
    for size in Self.keySizes {
      let part = Array(bytes.prefix(size))
      let padded = part + [UInt8](repeating: 0, count: size - part.count)
      let key = SymmetricKey(data: padded)
      let iv = state.version >= Self.ivVersion ? state.iv : Array(padded.prefix(Self.blockSize))
      guard try isBeginning(Self.decrypt(firstBlock[...], after: iv, key)) else { continue }
      let plaintext = plaintext(key, iv)
      guard MMKVStore.isBeyondDoubt(plaintext, state) else { continue }
      return UnlockedFile(format: "MMKV", isPassphrase: false, contents: .store(plaintext, state))
    }
    return nil
  }

  /// Returns true for a number and the beginning of a key, which is what contents begin with. One of a hundred random
  /// blocks passes.
  private func isBeginning(_ block: [UInt8]) -> Bool {
    guard let end = block.prefix(5).firstIndex(where: { $0 < 0x80 }), end + 2 < block.count,
      block[end + 1] > 0
    else { return false }
    let count = block[end + 1] < 0x80 ? Int(block[end + 1]) : block.count
    return block[(end + 2)...].prefix(count).allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }

  /// The store as it would be without encryption. Blocks are decrypted when they are read.
  ///
  /// What earlier contents left behind the present ones has another IV, which concerns its first block only.
  private func plaintext(_ key: SymmetricKey, _ iv: [UInt8]) -> ByteSource {
    let source = source
    return ByteSource(count: source.count) { range throws(FormatError) in
      if range.isEmpty { return [] }
      let first = max(0, range.lowerBound - Self.clear) / Self.blockSize
      let last = max(0, range.upperBound - 1 - Self.clear) / Self.blockSize
      let start = first == 0 ? 0 : Self.clear + (first - 1) * Self.blockSize
      let end = min(source.count, Self.clear + (last + 1) * Self.blockSize)
      let bytes = try source.read(start..<end)
      var result = first == 0 ? Array(bytes.prefix(Self.clear)) : []
      var previous = first == 0 ? iv[...] : bytes.prefix(Self.blockSize)
      var offset = first == 0 ? Self.clear : Self.blockSize
      do {
        while offset < bytes.count {
          let block = bytes[offset..<min(bytes.count, offset + Self.blockSize)]
          result += try Self.decrypt(block, after: Array(previous), key)
          previous = block
          offset += Self.blockSize
        }
      } catch {
        throw FormatError("The store cannot be decrypted: \(error)")
      }
      let base = first == 0 ? 0 : Self.clear + first * Self.blockSize
      return Array(result[(range.lowerBound - base)...].prefix(range.count))
    }
  }

  private static func decrypt(
    _ block: ArraySlice<UInt8>, after previous: [UInt8], _ key: SymmetricKey
  ) throws -> [UInt8] {
    var stream = previous
    try AES.permute(&stream, key: key)
    return zip(block, stream).map { $0 ^ $1 }
  }
}
