import AtRestCrypto
import Crypto
import Foundation

/// A cipher that decrypts one file of an encrypted device backup: AES-256-CBC with an IV of zeros
/// and PKCS #7 padding.
///
/// Any run of blocks can be decrypted on its own, given the block of ciphertext before it. A large
/// file needs no more memory than the run.
///
/// ```swift
/// let size = try cipher.plaintextCount(ofCiphertext: count, ending: lastTwoBlocks)
/// let chunk = try cipher.decrypt(blocks, after: blockBefore)
/// ```
///
/// - Warning: **Unauthenticated.** A modified ciphertext is not detected, except for the padding at
///   the end. The modified blocks decrypt to noise.
///
/// A value type: safe to use from any thread.
package struct AppleBackupCipher: Sendable {
  /// The size of a block, in bytes.
  package static let blockSize = BackupCryptography.blockSize

  private let key: SymmetricKey

  /// Creates a cipher from a key of 32 bytes, as ``AppleBackupKeys/unwrap(_:class:name:)`` returns
  /// it.
  init(key: SymmetricKey) { self.key = key }

  /// Decrypts whole blocks and keeps the padding.
  ///
  /// - Parameters:
  ///   - blocks: One or more blocks of 16 bytes.
  ///   - previous: The 16 bytes of ciphertext before them, or nil at the beginning of the file.
  /// - Throws: ``AtRestError/Code/damaged`` if the bytes are not whole blocks.
  package func decrypt(_ blocks: some DataProtocol, after previous: Data?) throws -> Data {
    let iv = previous ?? Data(count: Self.blockSize)
    guard !blocks.isEmpty, blocks.count % Self.blockSize == 0, iv.count == Self.blockSize else {
      throw Self.noWholeBlocks(blocks.count)
    }
    return try BackupCryptography.decryptBlocks(blocks, key: key, iv: iv)
  }

  /// Returns the size of a file's plaintext in bytes, as its padding gives it.
  ///
  /// - Parameters:
  ///   - count: The size of the whole ciphertext, in bytes.
  ///   - end: The last two blocks of the ciphertext, or its only block.
  /// - Throws: ``AtRestError/Code/damaged`` if the file does not consist of whole blocks or its
  ///   padding is wrong: its end was modified or cut off, or the key belongs to another file.
  package func plaintextCount(ofCiphertext count: Int, ending end: Data) throws -> Int {
    guard count > 0, count % Self.blockSize == 0,
      end.count == min(count, 2 * Self.blockSize)
    else { throw Self.noWholeBlocks(count) }
    let block = try decrypt(
      end.suffix(Self.blockSize),
      after: end.count > Self.blockSize ? end.prefix(Self.blockSize) : nil)
    let padding = Int(block.last ?? 0)
    guard (1...Self.blockSize).contains(padding),
      block.suffix(padding).allSatisfy({ $0 == padding })
    else {
      throw AtRestError.damagedBackup(
        "The padding at the end is wrong: the file was modified or cut off.")
    }
    return count - padding
  }

  private static func noWholeBlocks(_ count: Int) -> AtRestError {
    .damagedBackup(
      "\(count) bytes are not whole blocks of 16 bytes: the file was cut off.")
  }
}
