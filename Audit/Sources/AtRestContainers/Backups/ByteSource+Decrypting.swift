import AtRestCrypto
import AtRestFormats
import Foundation

extension ByteSource {
  /// The plaintext of an encrypted file of a backup, decrypted block by block as it is read.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the file is cut off or its padding is wrong;
  ///   ``FormatError`` if it cannot be read.
  static func decrypting(
    _ ciphertext: ByteSource, with cipher: AppleBackupCipher
  ) throws -> ByteSource {
    let block = AppleBackupCipher.blockSize
    let end = try ciphertext.read(max(0, ciphertext.count - 2 * block)..<ciphertext.count)
    let count = try cipher.plaintextCount(ofCiphertext: ciphertext.count, ending: Data(end))
    return ByteSource(count: count) { range throws(FormatError) in
      if range.isEmpty { return [] }
      let start = range.lowerBound / block * block
      let end = (range.upperBound - 1) / block * block + block
      // The first block is chained to the block before it.
      let lead = start == 0 ? 0 : block
      let read = Data(try ciphertext.read(start - lead..<end))
      do {
        let plaintext = try cipher.decrypt(
          read.dropFirst(lead), after: lead == 0 ? nil : read.prefix(lead))
        return [UInt8](plaintext.dropFirst(range.lowerBound - start).prefix(range.count))
      } catch {
        throw FormatError("The file cannot be decrypted: \(error)", offset: range.lowerBound)
      }
    }
  }
}
