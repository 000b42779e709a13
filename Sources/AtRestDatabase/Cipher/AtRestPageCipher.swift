import AtRestCrypto
import Crypto
import Foundation
import Synchronization

/// The pages of AtRest's format: AES-256-GCM under a random nonce, with a key per epoch.
///
/// A sealed page is ciphertext ‖ tag (16 bytes) ‖ nonce (12) ‖ epoch (4). Page 1 begins with the file's
/// header, which takes the place of what SQLite's header implies.
final class AtRestPageCipher: PageCipher {
  private struct Keys {
    var epoch: UInt32 = 0
    var known: [UInt32: SymmetricKey] = [:]
  }

  let format: DatabaseFormat
  let salt: Data
  private let dataKey: SecretBox
  private let keys = Mutex(Keys())
  private let refused = Mutex<UInt32?>(nil)

  private static let tagSize = 16
  private static let nonceSize = 12
  /// The bytes of SQLite's header that are in the ciphertext of page 1: 18, 19, and all from 24.
  private static let versions = 18..<20
  private static let rest = 24
  private static let reserve = 20

  init(format: DatabaseFormat, salt: Data, key: SecretBox) {
    self.format = format
    self.salt = salt
    dataKey = key
  }

  func rawKey() -> SecretBytes { dataKey.bytes.duplicate() }

  func hasKey(of other: any PageCipher) -> Bool {
    guard let other = other as? AtRestPageCipher else { return false }
    return dataKey.bytes.symmetricKey() == other.dataKey.bytes.symmetricKey()
  }

  func withPages(of format: DatabaseFormat) -> any PageCipher {
    AtRestPageCipher(format: format, salt: salt, key: dataKey)
  }

  var refusedPage: UInt32? { refused.withLock { $0 } }

  /// Derives another key of the same database.
  func derive(_ purpose: Purpose, context: Data = Data()) -> SecretBytes {
    dataKey.bytes.derive(purpose, salt: salt, context: context)
  }

  /// Seals pages from now on under the key of an epoch.
  func use(epoch: UInt32) { keys.withLock { $0.epoch = epoch } }

  private var end: Int { format.pageSize - format.reserve }

  /// Calls a closure with the key of an epoch. The key is remembered if the closure does not throw, so
  /// an epoch that somebody invents takes no memory.
  private func withKey<Result>(of epoch: UInt32, _ body: (SymmetricKey) throws -> Result) rethrows
    -> Result
  {
    if let key = keys.withLock({ $0.known[epoch] }) { return try body(key) }
    let context = withUnsafeBytes(of: epoch.bigEndian) { Data($0) }
    let key = derive(.databasePage, context: context).symmetricKey()
    let result = try body(key)
    keys.withLock { $0.known[epoch] = key }
    return result
  }

  /// Calls a closure with what is authenticated beside the page. `reserve` is that of page 1, and 0 for
  /// other pages.
  private func withContext<Result>(
    _ page: UInt32, reserve: UInt8, epoch: UInt32, _ body: (UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let version = UInt64(AtRestHeader.version) << 56 | UInt64(reserve) << 48
    let context = (
      (version | UInt64(format.pageSize)).bigEndian,
      (UInt64(page) << 32 | UInt64(epoch)).bigEndian
    )
    return try withUnsafeBytes(of: context) { try body($0) }
  }

  private func header(reserve: UInt8) -> AtRestHeader {
    AtRestHeader(pageSize: format.pageSize, reserve: reserve, salt: salt)
  }

  func seal(
    _ page: UInt32, _ plain: UnsafeRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
  ) throws {
    let epoch = keys.withLock { $0.epoch }
    let nonceStart = end + Self.tagSize
    let nonceBytes = UnsafeMutableRawBufferPointer(
      rebasing: sealed[nonceStart..<nonceStart + Self.nonceSize])
    RandomBytes.fill(nonceBytes)
    let clear = page == 1 ? AtRestHeader.size : 0
    let reserve = page == 1 ? plain[Self.reserve] : 0
    try Remains.erased(after: .gcm) {
      let nonce = try AES.GCM.Nonce(data: UnsafeRawBufferPointer(nonceBytes))
      let box = try withText(of: page, plain) { text in
        try withContext(page, reserve: reserve, epoch: epoch) { context in
          try withKey(of: epoch) {
            try AES.GCM.seal(text, using: $0, nonce: nonce, authenticating: context)
          }
        }
      }
      // Nonce, ciphertext and tag are contiguous.
      (box.combined ?? Data()).withUnsafeBytes {
        UnsafeMutableRawBufferPointer(rebasing: sealed[clear..<nonceStart])
          .copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[Self.nonceSize...]))
      }
    }
    if page == 1 { sealed.copyBytes(from: header(reserve: reserve).data) }
    sealed.storeBytes(
      of: epoch.bigEndian, toByteOffset: nonceStart + Self.nonceSize, as: UInt32.self)
  }

  /// Calls a closure with the text that is encrypted. Of page 1, SQLite's header must be the one that
  /// the file's header implies.
  private func withText<Result>(
    of page: UInt32, _ plain: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) throws -> Result
  ) throws -> Result {
    guard page == 1 else { return try body(UnsafeRawBufferPointer(rebasing: plain[..<end])) }
    let implied = header(reserve: plain[Self.reserve]).plain
    guard plain[..<Self.versions.lowerBound].elementsEqual(implied[..<Self.versions.lowerBound]),
      plain[Self.versions.upperBound..<Self.rest]
        .elementsEqual(implied[Self.versions.upperBound...])
    else {
      throw AtRestError.invalid(
        "Page 1 has another size of pages or of their reserve.",
        remedy: "Make a copy of the database for that.")
    }
    var text = Data(plain[Self.versions])
    text.append(contentsOf: plain[Self.rest..<end])
    return try text.withUnsafeBytes { try body($0) }
  }

  func open(
    _ page: UInt32, _ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer
  ) throws {
    do {
      try opened(page, sealed).withUnsafeBytes { text in
        if page == 1 {
          plain.copyBytes(from: header(reserve: sealed[AtRestHeader.reserveOffset]).plain)
          UnsafeMutableRawBufferPointer(rebasing: plain[Self.versions])
            .copyBytes(from: text[..<Self.versions.count])
          UnsafeMutableRawBufferPointer(rebasing: plain[Self.rest..<end])
            .copyBytes(from: text[Self.versions.count...])
        } else {
          UnsafeMutableRawBufferPointer(rebasing: plain[..<end]).copyMemory(from: text)
        }
      }
      UnsafeMutableRawBufferPointer(rebasing: plain[end...]).initializeMemory(
        as: UInt8.self, repeating: 0)
    } catch {
      refused.withLock { $0 = page }
      throw error
    }
  }

  func isAuthentic(_ page: UInt32, _ sealed: UnsafeRawBufferPointer) -> Bool {
    (try? opened(page, sealed)) != nil
  }

  private func opened(_ page: UInt32, _ sealed: UnsafeRawBufferPointer) throws -> Data {
    let nonceStart = end + Self.tagSize
    let epoch = UInt32(
      bigEndian: sealed.loadUnaligned(
        fromByteOffset: nonceStart + Self.nonceSize, as: UInt32.self))
    let reserve = page == 1 ? sealed[AtRestHeader.reserveOffset] : 0
    if page == 1, !sealed.prefix(AtRestHeader.size).elementsEqual(header(reserve: reserve).data) {
      throw AtRestError.damaged("The header is damaged.")
    }
    let clear = page == 1 ? AtRestHeader.size : 0
    // SealedBox copies its parts. To copy them here first would take longer than decrypting them, because
    // both blocks would be a page apart, at addresses that the processor confuses.
    return try Remains.erased(after: .gcm) {
      let box = try AES.GCM.SealedBox(
        nonce: AES.GCM.Nonce(
          data: UnsafeRawBufferPointer(
            rebasing: sealed[nonceStart..<nonceStart + Self.nonceSize])),
        ciphertext: UnsafeRawBufferPointer(rebasing: sealed[clear..<end]),
        tag: UnsafeRawBufferPointer(rebasing: sealed[end..<nonceStart]))
      return try withContext(page, reserve: reserve, epoch: epoch) { context in
        try withKey(of: epoch) { try AES.GCM.open(box, using: $0, authenticating: context) }
      }
    }
  }

  func peek(_ sealed: UnsafeRawBufferPointer, into plain: UnsafeMutableRawBufferPointer) throws {
    throw AtRestError.invalid("A part of a page is not authentic.", remedy: "Open the page.")
  }
}

extension Purpose {
  static let databasePage = Purpose("atrest.database.page.v1")
  static let databaseLog = Purpose("atrest.database.log.v1")
  static let databaseState = Purpose("atrest.database.state.v1")
  static let databasePageHash = Purpose("atrest.database.page-hash.v1")
}
