import AtRestCrypto

/// Finding the items that a query matches.
extension ItemFinder {
  /// Returns the rows that match a query, without asking the user.
  ///
  /// - Throws: The first reason if matching rows may exist and none is readable, because an empty
  ///   result would mean *not found*.
  func rows(matching query: KeychainQuery) throws -> [ItemRow] {
    var rows: [ItemRow] = []
    let hidden = try forEachMatch(of: query) { row, _ in
      rows.append(row)
      return true
    }
    if rows.isEmpty, let first = hidden.first { throw first.reason }
    return rows
  }

  /// Calls a closure with each matching row and its opened metadata, in the order of their numbers,
  /// until the closure returns false.
  ///
  /// - Parameter certain: A closure that is called with each item that matches for certain but
  ///   could not be opened. If it returns false, it ends the search too.
  /// - Returns: The items that may match but could not be opened, with the reasons.
  func forEachMatch(
    of query: KeychainQuery, certain: (IndexEntry) throws -> Bool = { _ in true },
    _ body: (ItemRow, ItemMetadata) throws -> Bool
  ) throws -> [HiddenItem] {
    if let limit = query.limit, limit < 1 {
      throw AtRestError.invalid(
        "The limit of a query cannot be \(limit).",
        remedy: "Use a limit of 1 or more, or no limit for all items.")
    }
    let wanted = try query.attributes.normalized(for: query.itemClass)
    var hidden: [HiddenItem] = []
    for entry in try candidates(for: query, wanted: wanted, hidden: &hidden) {
      var row: ItemRow?
      do {
        let found = try self.row(of: entry)
        row = found
        let metadata = try boxes.openMetadata(of: found)
        guard matches(metadata.attributes, wanted: wanted, query.itemClass) else { continue }
        if try !body(found, metadata) { break }
      } catch let error as AtRestError where error.isWithholding {
        // An item that does not match hides nothing, even if it does not open.
        let isMatch: Bool?
        var reason = error
        do {
          isMatch = try termsShow(entry, row, match: wanted, query.itemClass)
        } catch let damage as AtRestError where damage.code == .damaged {
          // Unlocking would not show whether the item matches.
          (isMatch, reason) = (nil, damage)
        }
        if isMatch == false { continue }
        hidden.append(HiddenItem(entry: entry, reason: reason, isCertain: isMatch == true))
        if isMatch == true, try !certain(entry) { break }
      }
    }
    return hidden
  }

  /// Returns the entries that may match a query according to the index. No matching entry is left
  /// out, except entries in damaged parts of the index, which are added to `hidden`.
  private func candidates(
    for query: KeychainQuery, wanted: ItemAttributes, hidden: inout [HiddenItem]
  ) throws -> [IndexEntry] {
    let scopes = try groups(query.group).map { try Set($0.map(session.hashes.scope)) }
    let excluded = try excludedScope
    func isCandidate(_ entry: IndexEntry) -> Bool {
      let flag = entry.info.flags.contains(.synchronizable)
      return entry.info.classNumber == query.itemClass.number
        && (query.accessibility.map { $0.keyClass.rawValue == entry.info.keyClassNumber } ?? true)
        && (query.synchronizable == .any || flag == (query.synchronizable == .yes))
        && scopes?.contains(entry.scope) != false && entry.scope != excluded
    }
    var entries: [IndexEntry] = []
    if let reference = query.reference {
      entries = try [locate(reference)].compactMap { $0 }.filter(isCandidate)
    } else if let keys = try candidateKeys(for: query, wanted: wanted) {
      for key in keys {
        do {
          if let entry = try session.index.entry(key), isCandidate(entry) { entries.append(entry) }
        } catch let error as AtRestError where error.isWithholding {
          hidden.append(HiddenItem(entry: nil, reason: error, isCertain: false))
        }
      }
    } else {
      var damaged: [AtRestError] = []
      try session.index.forEach(
        damaged: { damaged.append($0) }, { if isCandidate($0) { entries.append($0) } })
      hidden += damaged.map { HiddenItem(entry: nil, reason: $0, isCertain: false) }
    }
    return entries.sorted { $0.id < $1.id }
  }

  /// Returns the keys of the items that a query may match according to its indexed attributes. nil
  /// means that any item of the class may match.
  private func candidateKeys(
    for query: KeychainQuery, wanted: ItemAttributes
  ) throws -> Set<UInt64>? {
    if let groups = try groups(query.group),
      query.itemClass.primaryKeyAttributes.allSatisfy({ wanted[$0] != nil })
    {
      var key = ItemAttributes()
      for attribute in query.itemClass.primaryKeyAttributes { key[attribute] = wanted[attribute] }
      let variants =
        query.synchronizable == .any ? [false, true] : [query.synchronizable == .yes]
      return try Set(
        groups.flatMap { group in
          try variants.map { isSynchronizable in
            let key = PrimaryKey(
              unchecked: query.itemClass, key, group: group, synchronizable: isSynchronizable)
            return try session.hashes.hash(key, in: group).key
          }
        })
    }
    // An empty value counts as a missing value, and has no term.
    let terms = try session.hashes.indexedTerms(query.itemClass, wanted)
    guard !terms.isEmpty else { return nil }
    let unknown = try session.index.keys(of: session.unknownTerm) ?? []
    do {
      return try session.index.keys(ofAll: terms).union(unknown)
    } catch AtRestError.Code.damaged {
      // The tree of terms is damaged, but the entries of the items can still be searched.
      return nil
    }
  }

  /// Returns whether an item that does not open has the attributes, or nil if that cannot be
  /// determined.
  ///
  /// - Parameter row: The row of the item, or nil if it is missing or differs from the index.
  /// - Throws: ``AtRestError/Code/damaged`` if the item's own terms were modified and the index does
  ///   not show that it has the attributes.
  private func termsShow(
    _ entry: IndexEntry, _ row: ItemRow?, match wanted: ItemAttributes, _ itemClass: ItemClass
  ) throws -> Bool? {
    let terms = row.map { row in Result { try session.terms(of: row) } }
    if case .success(let terms) = terms {
      var isCertain = true
      for (attribute, value) in wanted {
        if attribute.isDateOfItem {
          isCertain = false
        } else if try !terms.contains(session.hashes.term(itemClass, attribute, value)) {
          return false
        }
      }
      return isCertain ? true : nil
    }
    if try indexShows(entry, has: wanted, itemClass) { return true }
    _ = try terms?.get()
    return nil
  }

  /// Returns true if the index alone shows that an item has the attributes.
  private func indexShows(
    _ entry: IndexEntry, has wanted: ItemAttributes, _ itemClass: ItemClass
  ) throws -> Bool {
    guard try !session.index.names(session.unknownTerm, entry.key) else { return false }
    return try wanted.allSatisfy { attribute, value in
      guard itemClass.indexes(attribute), !value.isEmpty(for: attribute) else {
        return false
      }
      return try session.index.names(
        session.hashes.term(itemClass, attribute, value), entry.key)
    }
  }

  /// Compares attributes. A missing attribute of the primary key equals an empty attribute, as in
  /// the primary key itself.
  private func matches(
    _ found: ItemAttributes, wanted: ItemAttributes, _ itemClass: ItemClass
  ) -> Bool {
    wanted.allSatisfy { attribute, value in
      let found = found[attribute]
      return found == value
        || found == nil && value.isEmpty(for: attribute)
          && itemClass.primaryKeyAttributes.contains(attribute)
    }
  }
}
