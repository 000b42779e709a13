import ArgumentParser
import AtRestCrypto
import AtRestKeychain

/// Items as `atrest list` and `atrest search` show them, and the reasons for which others are not shown.
struct ItemListing: Encodable {
  struct Withheld: Encodable {
    let `class`: String
    let reason: String
    let message: String
    /// True if one item is meant, and false for an unknown number of them.
    let isOneItem: Bool

    private enum CodingKeys: CodingKey { case `class`, reason, message }
  }

  private var items: [ItemLine] = []
  private var withheld: [Withheld] = []
  private var refusal: AtRestError?
  private var isDamaged = false

  private enum CodingKeys: CodingKey { case items, withheld }

  /// True if no item was found, and none withheld.
  var isEmpty: Bool { items.isEmpty && withheld.isEmpty }

  /// Adds the items that a query matches.
  ///
  /// - Parameter isShown: Returns false for an item to leave out.
  /// - Throws: Errors that are no reason to withhold an item.
  mutating func add(
    _ query: KeychainQuery, in keychain: Keychain,
    where isShown: (KeychainItem) -> Bool = { _ in true }
  ) throws {
    do {
      let found = try keychain.items(
        matching: query, context: AuthenticationContext(interaction: .skip))
      items += found.filter(isShown).map(ItemLine.init)
      for item in found.withheld {
        withhold(query.itemClass, item.reason, isOneItem: item.reference != nil)
      }
    } catch let error as AtRestError where error.refusal != nil {
      // Every item of the class is withheld.
      withhold(query.itemClass, error, isOneItem: false)
    }
  }

  private mutating func withhold(
    _ itemClass: ItemClass, _ error: AtRestError, isOneItem: Bool
  ) {
    refusal = refusal ?? error
    if error.refusal == .damaged { isDamaged = true }
    withheld.append(
      Withheld(
        class: itemClass.name, reason: error.code.rawValue, message: error.message,
        isOneItem: isOneItem))
  }

  /// Writes the items to standard output, and what is not shown to standard error.
  ///
  /// - Throws: The first refusal if no item is shown; the exit code of damage.
  func write(json: Bool) throws {
    if json {
      try Output.writeJSON(self)
    } else {
      let table = Table(ItemLine.headings, items.map(\.cells))
      Output.write(table.text(width: Output.width))
    }
    if items.isEmpty, let refusal { throw refusal }
    let reasons = Dictionary(grouping: withheld, by: \.reason)
    for (reason, items) in reasons.sorted(by: { $0.key < $1.key }) {
      // Some messages are of one item, and others of all items of a class.
      var told: Set<String> = []
      let messages = items.map(\.message).filter { told.insert($0).inserted }
      let number =
        items.allSatisfy(\.isOneItem) ? "\(items.count) not shown" : "Not everything is shown"
      Output.note("\(number) (\(reason)): \(messages[0])")
      for message in messages.dropFirst().prefix(9) { Output.note(message) }
    }
    // The list is incomplete, and the exit code must show this to scripts.
    if isDamaged { throw ExitCode(ExitStatus.damaged.rawValue) }
  }
}
