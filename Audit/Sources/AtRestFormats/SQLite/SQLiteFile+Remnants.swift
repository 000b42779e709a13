extension SQLiteFile {
  /// Visits what rows left behind: free space of pages, free pages, pages that nothing names, older
  /// states of pages in the write-ahead log and the journal.
  ///
  /// Of an older state only what the next one does not hold is visited, so that rows that are still
  /// there do not come again; one that moved to another page since does.
  ///
  /// - Parameter visit: An error of it ends the pass.
  /// - Returns: What could not be read; the rest was visited all the same.
  package func forEachRemnant<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) -> [Skip] {
    let search = SQLiteRemnantSearch(self)
    try search.run(visit)
    return search.pass.skips.all
  }
}
