/// The result of `EncryptedDatabase.verify(at:key:format:)`.
public struct DatabaseVerification: Sendable {
  /// The number of pages of the file.
  public let pageCount: Int
  /// The numbers of the pages that are not authentic, in ascending order.
  public let damagedPages: [Int]
  /// The problems that SQLite's `integrity_check` reports.
  public let problems: [String]
  /// False if the pages are not those of the last checkpoint: at least one is of an earlier version of the
  /// database. Only AtRest's format can tell; in others, this is always true.
  public let isCurrent: Bool
  /// True if no page is damaged or of an earlier version, and SQLite reports no problem.
  public var isIntact: Bool { damagedPages.isEmpty && isCurrent && problems.isEmpty }
}
