/// The values of a file that are stored under the same name: a column of a table, a key of the
/// elements of an array, the lines of a text.
struct Column: Hashable {
  private let steps: [Locator.Step]

  init(_ locator: Locator) {
    steps = locator.steps.map { step in
      switch step {
      case .cell(let table, _, let column): .cell(table: table, row: 0, column: column)
      case .deleted: .deleted(page: 0, offset: 0)
      case .line: .line(0)
      case .offset: .offset(0)
      case .record: .record("")
      case .keyPath(let path): .keyPath(Self.withoutIndices(path))
      case .entry, .encoding: step
      }
    }
  }

  private static func withoutIndices(_ path: String) -> String {
    var result: [UInt8] = []
    for byte in path.utf8 {
      if ASCII.isDigit(byte), result.last == UInt8(ascii: "[") { continue }
      result.append(byte)
    }
    return String(decoding: result, as: UTF8.self)
  }
}

/// Counts the long numbers in each column of a file, to distinguish a column of cards from a column
/// of numbers some of which have the form of a card's by chance.
struct NumberColumns {
  /// The maximum number of columns of a file that are counted.
  private static let limit = 10_000
  /// The minimum number of digits of a card.
  private static let cardLength = 13

  private var counts: [Column: (numbers: Int, cards: Int)] = [:]

  mutating func add(_ numbers: Int, _ detections: [Detection], at locator: Locator) {
    let column = Column(locator)
    guard counts[column] != nil || counts.count < Self.limit else { return }
    let cards = detections.count { $0.kind == .cardNumber && $0.range.count >= Self.cardLength }
    counts[column, default: (0, 0)].numbers += max(numbers, cards)
    counts[column, default: (0, 0)].cards += cards
  }

  /// Returns true if a discovery is a number without groups in a column that mostly has others.
  func isChance(_ found: Sighting) -> Bool {
    guard case .secret(let detection) = found.discovery.subject, detection.kind == .cardNumber,
      case .secret(let number) = found.identity, number.count >= Self.cardLength,
      number.allSatisfy(ASCII.isDigit), let count = counts[Column(found.discovery.locator)]
    else { return false }
    return count.cards * 2 <= count.numbers
  }
}
