import AtRestCrypto
import Crypto
import CryptoExtras
import Foundation
import Synchronization

/// Seals and opens the pages of one database: AES-256-CBC under a random IV, and then an HMAC.
///
/// The keys are in memory as long as a connection is open. Threads may share a cipher.
final class PageCipher: Sendable {
  let format: DatabaseFormat
  /// The first 16 bytes of the file, unless its header is in plaintext.
  let salt: Data
  private let key: SymmetricKey
  private let authenticator: PageAuthenticator?
  private let known = KnownPages()
  private let refused = Mutex<UInt32?>(nil)
  private let condition = Mutex<(@Sendable () -> Bool)?>(nil)

  init(format: DatabaseFormat, salt: Data, key: SymmetricKey, authentication: SymmetricKey) {
    self.format = format
    self.salt = salt
    self.key = key
    authenticator = PageAuthenticator(format.authentication, key: authentication)
  }

  private init(_ other: PageCipher, format: DatabaseFormat) {
    self.format = format
    salt = other.salt
    key = other.key
    authenticator = other.authenticator
  }

  /// The key that is not derived from another one.
  func rawKey() -> SecretBytes { SecretBytes(key) }

  /// Returns true if another cipher has the same key.
  func hasKey(of other: PageCipher) -> Bool { other.key == key }

  /// Returns the cipher with the same keys for another size of pages.
  func withPages(of format: DatabaseFormat) -> PageCipher { PageCipher(self, format: format) }

  /// Lets no transaction begin any more when a closure returns true.
  func endWhen(_ isEnded: @escaping @Sendable () -> Bool) { condition.withLock { $0 = isEnded } }

  /// True if the keys may not be used any more, because the store that gave them is gone.
  var isEnded: Bool { condition.withLock { $0 }?() ?? false }

  /// The number of the page that was refused last, or nil if none was.
  var refusedPage: UInt32? { refused.withLock { $0 } }

  private func start(_ page: UInt32) -> Int { page == 1 ? format.clearSize : 0 }
  private var end: Int { format.pageSize - format.reserve }

  /// Seals a page. Both buffers may be the same one.
  func seal(
    _ page: UInt32, _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
  ) throws {
    let start = start(page)
    RandomBytes.fill(UnsafeMutableRawBufferPointer(rebasing: sealed[end...]))
    let ciphertext = try AES._CBC.encrypt(
      UnsafeRawBufferPointer(rebasing: plain[start..<end]), using: key,
      iv: vector(of: UnsafeRawBufferPointer(sealed)),
      noPadding: true)
    if page == 1 {
      if format.hasPlaintextHeader {
        sealed.copyBytes(from: plain[..<start])
      } else {
        sealed.copyBytes(from: salt)
      }
    }
    ciphertext.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: sealed[start..<end]).copyMemory(from: $0)
    }
    guard let authenticator else { return }
    let authenticated = authenticated(UnsafeRawBufferPointer(sealed), from: start)
    authenticator.withCode(of: authenticated, number: number(of: page)) {
      UnsafeMutableRawBufferPointer(rebasing: sealed[codeStart...]).copyMemory(from: $0)
    }
  }

  func open(
    _ page: UInt32, _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer
  ) throws {
    let start = start(page)
    guard isAuthenticAgain(page, sealed) else {
      refused.withLock { $0 = page }
      throw AtRestError.damaged("Page \(page) is damaged.")
    }
    try decrypt(sealed, start..<end, into: plain)
    // SQLite's part of the page ends before the reserve.
    UnsafeMutableRawBufferPointer(rebasing: plain[end...]).initializeMemory(
      as: UInt8.self, repeating: 0)
    if page == 1 { setStart(of: plain, from: sealed) }
  }

  /// Decrypts the first 48 bytes of page 1 without authentication.
  func peek(_ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer) throws {
    try decrypt(sealed, format.clearSize..<48, into: plain)
    setStart(of: plain, from: sealed)
  }

  /// Returns true if a page is authentic. The HMAC is not computed if it was right for the same bytes
  /// before.
  private func isAuthenticAgain(_ page: UInt32, _ sealed: UnsafeRawBufferPointer) -> Bool {
    guard authenticator != nil else { return isAuthentic(page, sealed) }
    if known.contains(page, sealed) { return true }
    guard isAuthentic(page, sealed) else { return false }
    known.insert(page, sealed)
    return true
  }

  func isAuthentic(_ page: UInt32, _ sealed: UnsafeRawBufferPointer) -> Bool {
    if page == 1 {
      let hasStart =
        format.hasPlaintextHeader
        ? hasSizes(sealed) : sealed.prefix(salt.count).elementsEqual(salt)
      guard hasStart else { return false }
    }
    guard let authenticator else { return page != 1 || isFirstPage(sealed) }
    return authenticator.withCode(
      of: authenticated(sealed, from: start(page)), number: number(of: page)
    ) { code in
      constantTimeEqual(
        code, UnsafeRawBufferPointer(rebasing: sealed[codeStart..<codeStart + code.count]))
    }
  }

  /// Returns true if bytes 16 to 23 of SQLite's header are those of a database with this cipher, apart from the
  /// two versions, 18 and 19. A plaintext header is not authenticated, so its reserve must be the cipher's.
  /// Source: sqlite.org/fileformat2.html, *The Database Header*.
  private func hasSizes(_ header: UnsafeRawBufferPointer) -> Bool {
    let reserve = Int(header[20])
    return header.prefix(Self.magic.count).elementsEqual(Self.magic)
      && Int(header[16]) << 8 | Int(header[17]) << 16 == format.pageSize
      && (format.hasPlaintextHeader ? reserve == format.reserve : reserve >= format.reserve)
      && header[21..<24].elementsEqual([64, 32, 32])
  }

  /// Returns true if page 1 begins as that of a database. Without an HMAC, only this shows that the key is the
  /// right one: any key decrypts any page.
  private func isFirstPage(_ sealed: UnsafeRawBufferPointer) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 96, alignment: 8) { header in
      guard (try? decrypt(sealed, format.clearSize..<96, into: header)) != nil else { return false }
      setStart(of: header, from: sealed)
      // SQLite reserves these bytes.
      return hasSizes(UnsafeRawBufferPointer(header)) && header[72..<92].allSatisfy { $0 == 0 }
    }
  }

  /// The page number as the HMAC covers it.
  private func number(of page: UInt32) -> UInt32 {
    format.hasBigEndianNumbers ? page.byteSwapped : page
  }

  private var codeStart: Int { end + DatabaseFormat.vectorSize }

  /// The bytes that the HMAC covers, except the page number.
  private func authenticated(
    _ sealed: UnsafeRawBufferPointer, from start: Int
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: sealed[start..<codeStart])
  }

  private func vector(of sealed: UnsafeRawBufferPointer) throws -> AES._CBC.IV {
    try AES._CBC.IV(
      ivBytes: UnsafeRawBufferPointer(
        rebasing: sealed[end..<end + DatabaseFormat.vectorSize]))
  }

  private func decrypt(
    _ sealed: UnsafeRawBufferPointer, _ range: Range<Int>,
    into plain: UnsafeMutableRawBufferPointer
  ) throws {
    let plaintext = try AES._CBC.decrypt(
      UnsafeRawBufferPointer(rebasing: sealed[range]), using: key, iv: vector(of: sealed),
      noPadding: true)
    plaintext.withUnsafeBytes {
      UnsafeMutableRawBufferPointer(rebasing: plain[range]).copyMemory(from: $0)
    }
  }

  private static let magic = Data("SQLite format 3\0".utf8)

  private func setStart(
    of plain: UnsafeMutableRawBufferPointer, from sealed: UnsafeRawBufferPointer
  ) {
    if format.hasPlaintextHeader {
      plain.copyBytes(from: sealed[..<format.clearSize])
    } else {
      plain.copyBytes(from: Self.magic)
    }
  }
}
