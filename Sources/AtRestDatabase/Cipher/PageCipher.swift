import AtRestCrypto
import Foundation

/// Seals and opens the pages of one database.
///
/// The keys are in memory as long as a connection is open. Threads may share a cipher.
protocol PageCipher: AnyObject, Sendable {
  var format: DatabaseFormat { get }
  /// The salt of the file.
  var salt: Data { get }
  /// The number of the page that was refused last, or nil if none was.
  var refusedPage: UInt32? { get }

  /// Seals a page. Both buffers may be the same one.
  func seal(
    _ page: UInt32, _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
  ) throws
  func open(
    _ page: UInt32, _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer
  ) throws
  /// Decrypts the first 48 bytes of page 1 without authentication. AtRest's format cannot do that.
  func peek(_ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer) throws
  func isAuthentic(_ page: UInt32, _ sealed: UnsafeRawBufferPointer) -> Bool
  /// The key that is not derived from another one.
  func rawKey() -> SecretBytes
  /// Returns true if another cipher has the same key.
  func hasKey(of other: any PageCipher) -> Bool
  /// Returns the cipher with the same keys for another size of pages.
  func withPages(of format: DatabaseFormat) -> any PageCipher
}
