import AtRestFormats
import Foundation

/// The time that a row of a table says of itself: when it was made or last changed.
enum RowTime {
  /// Parts of the names of columns with such a time, the best first. Other dates, such as a birthday, say nothing about
  /// the row.
  private static let names = [
    "modified", "modification", "updated", "changed", "timestamp", "created", "creation",
    "inserted", "added", "saved",
    "sent", "received", "recorded", "logged",
  ]
  /// Words beside these parts that make the column one of something else: `created_by`, `sent_count`.
  private static let others = ["by", "count", "id", "user", "flag", "name", "version", "expir"]

  /// The index of the column with the time of a row, or nil if no column's name says so.
  static func column(of columns: [String]) -> Int? {
    let names = columns.map { $0.lowercased() }
    for part in Self.names {
      let found = names.firstIndex { name in
        guard let range = name.range(of: part) else { return false }
        let rest = name[range.upperBound...].drop { $0 == "_" }
        return !Self.others.contains(where: rest.hasPrefix)
      }
      if let found { return found }
    }
    return nil
  }

  /// Returns the time that a value of such a column means. nil for a value that means no time between 2000 and 2050.
  ///
  /// A number counts from 1970, from 2001 as on Apple's systems, or from 1601 as in browsers of Chromium's family, in the
  /// unit that gives such a time. Seconds before 2000 in Unix time are read as Apple's, which are more common.
  static func time(_ value: SQLiteValue) -> Date? {
    switch value {
    case .integer(let number): time(Double(number))
    case .real(let number): time(number)
    case .text: value.string.flatMap(time)
    case .null, .blob: nil
    }
  }

  private static func time(_ number: Double) -> Date? {
    let (first, last) = (946_684_800.0, 2_524_608_000.0)
    for unit in [1.0, 1e3, 1e6, 1e9] where (first * unit..<last * unit).contains(number) {
      return Date(timeIntervalSince1970: number / unit)
    }
    for unit in [1.0, 1e9] where (63_072_000 * unit..<first * unit).contains(number) {
      return Date(timeIntervalSinceReferenceDate: number / unit)
    }
    let since1601 = number / 1e6 - 11_644_473_600
    return (first..<last).contains(since1601) ? Date(timeIntervalSince1970: since1601) : nil
  }

  /// `2026-11-30T12:04:11Z` and `2026-11-30 12:04:11`, with or without parts of a second.
  private static func time(_ text: String) -> Date? {
    let text = text.prefix(40).split(separator: ".", maxSplits: 1).first.map(String.init) ?? ""
    guard text.utf8.count >= 19 else { return nil }
    var style = Date.ISO8601FormatStyle().year().month().day()
      .dateTimeSeparator(text.dropFirst(10).first == " " ? .space : .standard)
      .time(includingFractionalSeconds: false)
    style.timeZone = .gmt
    let time = try? style.parse(String(text.prefix(19)))
    return time.flatMap {
      (946_684_800..<2_524_608_000).contains($0.timeIntervalSince1970) ? $0 : nil
    }
  }
}
