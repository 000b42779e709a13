import AtRestCrypto

extension StoreBackend {
  func matches(of query: KeychainQuery) throws -> [ItemMatch] {
    try reading(with: .unattended) { reader in
      var found: [ItemMatch] = []
      let hidden = try reader.finder.forEachMatch(of: query) { row, _ in
        found.append(
          ItemMatch(reference: reader.finder.reference(to: row.entry), isReadable: true))
        return found.count != query.limit
      }
      for item in hidden {
        guard item.isCertain, item.reason.code == .locked, let entry = item.entry else {
          throw item.reason
        }
        found.append(ItemMatch(reference: reader.finder.reference(to: entry), isReadable: false))
      }
      return found.sorted { $0.reference.number < $1.reference.number }
    }
  }
}
