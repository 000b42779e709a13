import Foundation

/// The contents of one file of an encrypted device backup: AES-256-CBC, an IV of zeros, PKCS #7.
///
/// Any run of blocks decrypts by itself, given the block of ciphertext before it: a large file needs
/// no more memory than the run.
///
/// ```swift
/// let size = try cipher.plaintextCount(ofCiphertext: count, ending: lastTwoBlocks)
/// let chunk = try cipher.decrypt(blocks, after: blockBefore)
/// ```
///
/// - Warning: **Unauthenticated.** A change of the ciphertext goes unnoticed but for the padding at
///   the end; the blocks that it touched come out as noise.
///
/// Its key is in locked memory and erased with the last reference. Safe to use from any thread.
public final class AppleBackupCipher: Sendable {
  /// False: a change of the ciphertext goes unnoticed.
  public static let isAuthenticated = false
  /// The bytes of a block.
  public static let blockSize = LegacyCipher.blockSize

  private let key: SecretBytes

  /// Takes 32 secret bytes as the key.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if there are not 32 bytes.
  public init(key: consuming SecretBytes) throws {
    guard key.count == LegacyCipher.keySize else {
      throw AtRestError.damaged("The key of a file has 32 bytes, not \(key.count).")
    }
    self.key = key
  }

  /// Decrypts whole blocks, padding and all.
  ///
  /// - Parameters:
  ///   - blocks: A multiple of 16 bytes, and not none.
  ///   - previous: The 16 bytes of ciphertext before them; nil at the beginning of the file.
  /// - Throws: ``AtRestError/Code/damaged`` if these are no whole blocks.
  public func decrypt(_ blocks: some ContiguousBytes, after previous: Data?) throws -> Data {
    let iv = previous ?? Data(count: Self.blockSize)
    return try blocks.withUnsafeBytes { blocks in
      guard !blocks.isEmpty, blocks.count % Self.blockSize == 0, iv.count == Self.blockSize else {
        throw Self.noWholeBlocks(blocks.count)
      }
      return try LegacyCipher.decryptBlocks(blocks, key: key, iv: iv)
    }
  }

  /// How many bytes of plaintext a file has, from its padding.
  ///
  /// - Parameters:
  ///   - count: The bytes of the whole ciphertext.
  ///   - end: Its last two blocks, or the one that there is.
  /// - Throws: ``AtRestError/Code/damaged`` if the file has no whole blocks or its padding is
  ///   wrong: its end was changed or cut off, or the key is another file's.
  public func plaintextCount(ofCiphertext count: Int, ending end: Data) throws -> Int {
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
      throw AtRestError.damaged(
        "The padding at the end is wrong: the file was changed or cut off.",
        remedy: "Make the backup again, or use another copy of it.")
    }
    return count - padding
  }

  private static func noWholeBlocks(_ count: Int) -> AtRestError {
    .damaged(
      "\(count) bytes are no whole blocks of 16: the file was cut off.",
      remedy: "Make the backup again, or use another copy of it.")
  }
}
