/// The result of `EncryptedDatabase.verify(at:key:format:configuration:)`.
public struct DatabaseVerification: Sendable {
  /// The number of pages of the file.
  public let pageCount: Int
  /// The numbers of the pages that are not authentic, in ascending order.
  public let damagedPages: [Int]
  /// The problems that SQLite's `integrity_check` reports.
  public let problems: [String]
  /// Why SQLite could not check the contents, in its own words, or nil if it has. The usual reason is a
  /// collation or function of the application, which the configuration did not add.
  public let uncheckedReason: String?
  /// True if no page is damaged, and SQLite reports no problem.
  public var isIntact: Bool { damagedPages.isEmpty && problems.isEmpty }
}
