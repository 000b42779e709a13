import AtRestFormats

/// Full-text indices of SQLite whose texts are stored nowhere.
extension FileWalk {
  /// The version of the index that a table contains whose texts are stored nowhere, or nil.
  ///
  /// - Parameter contentless: The names of full-text tables without texts, in lower case.
  static func termsVersion(
    of table: SQLiteTable, _ contentless: Set<String>
  ) -> FullTextTerms.Version? {
    let name = table.name.lowercased()
    for (suffix, version) in [
      ("_data", FullTextTerms.Version.fts5), ("_segments", .fts3), ("_segdir", .fts3),
    ] where name.hasSuffix(suffix) && contentless.contains(String(name.dropLast(suffix.count))) {
      return version
    }
    return nil
  }

  /// Visits the words of a block of an index.
  func words(_ block: ArraySlice<UInt8>, _ version: FullTextTerms.Version, _ place: Place) {
    FullTextTerms.read(block, version) { word in
      guard !isStopped else { return }
      give(.text(word), place.at(.record("word")))
    }
  }
}
