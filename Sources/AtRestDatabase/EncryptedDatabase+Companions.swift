extension EncryptedDatabase {
  /// The ends of the names of the files that may be beside a database: SQLite's log, index and journal, the lock of a
  /// change, and what is left of a file that was being made.
  package static let companions: [String] = {
    let drafts = [DatabaseDraft.Kind.new, .rekey].map(\.rawValue)
    return DatabaseDraft.companions + [CompanionLock.suffix] + drafts
      + drafts.flatMap { draft in DatabaseDraft.companions.map { draft + $0 } }
  }()
}
