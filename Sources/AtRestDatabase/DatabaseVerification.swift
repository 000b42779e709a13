/// The result of `EncryptedDatabase.verify(at:key:format:)`.
public struct DatabaseVerification: Sendable {
  /// The number of pages of the file.
  public let pageCount: Int
  /// The numbers of the pages that are not authentic, in ascending order.
  public let damagedPages: [Int]
  /// The problems that SQLite's `integrity_check` reports.
  public let problems: [String]
  /// True if no page is damaged, and SQLite reports no problem.
  public var isIntact: Bool { damagedPages.isEmpty && problems.isEmpty }
}
