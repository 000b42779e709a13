import AtRestCrypto
import Foundation
import Synchronization

/// The database as a running server knows it: the end of the audit log that it has seen, and the
/// stamp of each row whose changes are in the log. A row that was put back has another stamp.
///
/// It takes about 50 bytes for each row. Safe to use from several threads.
final class Ledger: Sendable {
  /// The end of the audit log.
  struct End: Equatable {
    var number: UInt64
    var chain: Data
  }

  /// The first half of an identifier, which is random or a keyed code.
  private struct Name: Hashable {
    let high: UInt64
    let low: UInt64

    init(_ table: Table, _ id: Data) {
      var parts: (UInt64, UInt64) = (0, 0)
      withUnsafeMutableBytes(of: &parts) { bytes in
        id.withUnsafeBytes {
          bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(16)))
        }
      }
      (high, low) = (parts.0, parts.1 ^ UInt64(table.code))
    }
  }

  private struct Contents {
    var end: End
    /// The sealed state with this end.
    var box = Data()
    var stamps: [Name: Int64] = [:]
  }

  private let contents: Mutex<Contents>

  /// Creates a ledger from the rows of the tables, whose digests were checked.
  init(_ end: End, _ rows: [(table: Table, id: Data, stamp: Int64)]) {
    var stamps: [Name: Int64] = [:]
    stamps.reserveCapacity(rows.count)
    for row in rows { stamps[Name(row.table, row.id)] = row.stamp }
    contents = Mutex(Contents(end: end, stamps: stamps))
  }

  var end: End { contents.withLock { $0.end } }

  /// True if a sealed state is the one that was seen last.
  func hasSeen(_ box: Data) -> Bool { contents.withLock { $0.box == box } }

  /// Notes the sealed state with an end.
  func note(_ box: Data, with end: End) {
    contents.withLock { if $0.end == end { $0.box = box } }
  }

  /// The stamp of a row, or nil if there must be no such row.
  func stamp(_ table: Table, _ id: Data) -> Int64? {
    let name = Name(table, id)
    return contents.withLock { $0.stamps[name] }
  }

  /// Applies the changes of further entries of the log. Entries that were applied already are skipped.
  func apply(_ entries: [(number: UInt64, changes: [RowChange])], to end: End) {
    contents.withLock { contents in
      for entry in entries where entry.number > contents.end.number {
        for change in entry.changes where change.table.isLogged {
          contents.stamps[Name(change.table, change.id)] = change.stamp
        }
      }
      if end.number > contents.end.number { contents.end = end }
    }
  }
}
