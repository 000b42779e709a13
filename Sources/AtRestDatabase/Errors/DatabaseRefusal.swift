import AtRestCrypto
import Foundation
import GRDB

/// Finds out why SQLite does not accept a database: *damaged* is only what failed its HMAC.
struct DatabaseRefusal {
  private let opening: DatabaseOpening
  private let cipher: PageCipher
  private let file: DatabaseFile
  private var path: String { opening.url.path }
  private var format: DatabaseFormat { opening.format }

  init(_ opening: DatabaseOpening, _ cipher: PageCipher) throws {
    self.opening = opening
    self.cipher = cipher
    file = try DatabaseFile(opening.url, format: opening.format)
  }

  /// The error of a database in plaintext, or nil.
  static func plaintext(_ file: DatabaseFile) -> AtRestError? {
    guard file.isPlaintext else { return nil }
    return AtRestError(
      .notProtected,
      "The database \(file.url.path) is not encrypted, or its header is in plaintext.",
      remedy:
        "Import it, with atrest database import or the call importPlaintext, or name the format of its "
        + "header.")
  }

  func error(_ error: DatabaseError) throws -> AtRestError {
    if file.recognizes(cipher) { return accepted(error) }
    // Before its pages are called damaged: with another header, only the first one is not authentic.
    if let other = try OtherFormat(opening, file, cipher).error() { return other }
    if format.authentication != nil, file.hasAuthenticPage(cipher) {
      return .damaged("Page 1 of the database \(path) is damaged.")
    }
    if let plain = Self.plaintext(file) { return plain }
    guard file.pageCount(of: format.pageSize) > 0 else {
      return .damaged("The database \(path) is shorter than a page.")
    }
    return AtRestError(
      .authenticationFailed, "The key does not open the database \(path).",
      remedy:
        "Check the key or the passphrase, the format and the number of rounds. If they are right, the "
        + "salt at the beginning of the file is damaged: restore it from a backup. Nothing was modified."
    )
  }

  /// The error of a database whose first page is right.
  private func accepted(_ error: DatabaseError) -> AtRestError {
    if format.authentication != nil, let page = cipher.refusedPage {
      return .damaged("Page \(page) of the database \(path) is damaged.")
    }
    if file.isCut(cipher) || file.endsWithinPage(of: format.pageSize) {
      return .cutOff(opening.url)
    }
    return AtRestError(
      .system, "SQLite cannot read the database \(path) (\(error.words)).",
      remedy:
        "The first page opens with this key, so the contents were written like this. Restore a backup."
    )
  }
}
