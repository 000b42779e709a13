import Foundation

/// The result of a repair.
public struct RepairReport: Sendable {
  /// A row that was accepted although the former index did not confirm it. It may be an older
  /// version.
  public struct Row: Sendable {
    /// The item.
    public let reference: PersistentReference
    /// The date of the item's last change according to its own metadata, or nil if the row does not
    /// open.
    public let modified: Date?
    /// The primary key of the item, or nil if the row does not open.
    public let primaryKey: PrimaryKey?
  }

  /// The number of accepted rows.
  public let accepted: Int
  /// The accepted rows that the former index did not confirm.
  public let unvouched: [Row]
}
