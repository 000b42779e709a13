extension SQLiteFile {
  /// Visits the remains of deleted and changed rows: free space of pages, free pages, unreferenced
  /// pages, and older states of pages in the write-ahead log and the journal.
  ///
  /// For an older state, only the parts that the next state does not have are visited, so that rows
  /// that still exist are not repeated. A row that has moved to another page since is repeated.
  ///
  /// - Parameter visit: An error that it throws ends the pass.
  /// - Returns: The parts that could not be read. The rest is visited all the same.
  package func forEachRemnant<Failure: Error>(
    _ visit: (SQLiteRemnant) throws(Failure) -> Void
  ) throws(Failure) -> [Skip] {
    let search = SQLiteRemnantSearch(self)
    try search.run(visit)
    return search.pass.skips.all
  }
}
