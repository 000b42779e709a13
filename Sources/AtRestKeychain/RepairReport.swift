import Foundation

/// The result of a repair.
package struct RepairReport: Sendable {
  /// A row that was accepted although it did not match the former index, and that may be an older
  /// version of the item.
  package struct Row: Sendable {
    /// The item.
    package let reference: PersistentReference
    /// The date of the item's last change according to its own metadata, or nil if the row cannot
    /// be opened.
    package let modified: Date?
    /// The primary key of the item, or nil if the row cannot be opened.
    package let primaryKey: PrimaryKey?
  }

  /// The number of accepted rows.
  package let accepted: Int
  /// The accepted rows that did not match the former index.
  package let unvouched: [Row]
}
