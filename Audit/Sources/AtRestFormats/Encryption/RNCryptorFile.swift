/// A file of RNCryptor, in version 2 or 3 of its format.
///
/// A version, a byte that says whether there is a passphrase, two salts if there is one, and an IV precede the encrypted
/// contents. An HMAC of all that follows.
///
/// Source: *RNCryptor data format*, versions 2 and 3.
package struct RNCryptorFile: Sendable {
  package let version: Int
  /// The salts of the two keys that are made of a passphrase, or nil if the keys are given.
  package let salts: (key: [UInt8], mac: [UInt8])?
  package let iv: [UInt8]
  /// The range of the encrypted contents, which are whole blocks.
  package let contents: Range<Int>

  package static let macSize = 32
  private static let saltSize = 8
  private static let ivSize = 16
  private static let blockSize = 16
  /// The number of bytes that must look random, and how many of them must be different. Of 64 random bytes, 57 are
  /// different, and hardly ever fewer than 45.
  private static let sample = (count: 64, different: 45)

  /// Reads the beginning of a file, or returns nil if RNCryptor did not make it.
  ///
  /// - Throws: ``FormatError`` if it cannot be read.
  package init?(_ source: ByteSource) throws(FormatError) {
    let head = try source.prefix(2 + Self.sample.count)
    // The smallest file is as long as the sample.
    guard head.count == 2 + Self.sample.count, (2...3).contains(head[0]), head[1] <= 1,
      Set(head.dropFirst(2)).count >= Self.sample.different
    else { return nil }
    let hasPassphrase = head[1] == 1
    let saltEnd = 2 + (hasPassphrase ? 2 * Self.saltSize : 0)
    let start = saltEnd + Self.ivSize
    let count = source.count - start - Self.macSize
    guard count > 0, count % Self.blockSize == 0 else { return nil }
    version = Int(head[0])
    salts =
      hasPassphrase
      ? (Array(head[2..<2 + Self.saltSize]), Array(head[2 + Self.saltSize..<saltEnd])) : nil
    iv = Array(head[saltEnd..<start])
    contents = start..<start + count
  }
}
