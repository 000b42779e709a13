import AtRestKeychain

/// The lines that name the items which a backup or a restore left out.
struct LeftOutLines {
  private let items: [LeftOutItem]

  init(_ items: [LeftOutItem]) { self.items = items }

  /// Prints one line per item.
  func note() {
    for item in items { Output.note("left out: \(item.words)") }
  }
}
