/// A file of `openssl enc`, which begins with `Salted__` and a salt.
///
/// Source: `enc.c` of OpenSSL.
package struct OpenSSLFile: Sendable {
  package let salt: [UInt8]
  /// The range of the encrypted contents, which are whole blocks.
  package let contents: Range<Int>

  private static let headSize = 16
  private static let saltSize = 8
  private static let blockSize = 16

  /// Reads the beginning of a file that `openssl enc` encrypted in blocks of 16 bytes. The result is nil for any other
  /// file.
  ///
  /// - Throws: ``FormatError`` if it cannot be read.
  package init?(_ source: ByteSource) throws(FormatError) {
    guard source.count > Self.headSize, source.count % Self.blockSize == 0 else { return nil }
    let head = try source.prefix(Self.headSize)
    guard head.has("Salted__", at: 0) else { return nil }
    salt = Array(head.suffix(Self.saltSize))
    contents = Self.headSize..<source.count
  }
}
