/// A set of page numbers: a bit for each page that a file of its size can have, and a set for the
/// few other numbers that only damaged files have.
struct SQLitePageSet {
  private var bits: [UInt64]
  private var others: Set<Int> = []

  init(capacity: Int) { bits = Array(repeating: 0, count: capacity / 64 + 1) }

  func contains(_ page: Int) -> Bool {
    page / 64 < bits.count ? bits[page / 64] & 1 << UInt64(page % 64) != 0 : others.contains(page)
  }

  /// Adds a page. Returns true if the set did not contain it.
  mutating func insert(_ page: Int) -> Bool {
    guard page / 64 < bits.count else { return others.insert(page).inserted }
    let bit: UInt64 = 1 << UInt64(page % 64)
    guard bits[page / 64] & bit == 0 else { return false }
    bits[page / 64] |= bit
    return true
  }
}
