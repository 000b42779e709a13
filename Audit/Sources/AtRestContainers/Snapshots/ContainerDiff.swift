/// The changes of a container between two snapshots.
package struct ContainerDiff: Codable, Hashable, Sendable {
  /// Files that were added, removed or changed, in the order of their paths.
  package let files: [FileChange]
  /// True if values were compared. This requires a later snapshot that was made comparable to the
  /// earlier one.
  package let comparesValues: Bool

  package struct FileChange: Codable, Hashable, Sendable {
    package let path: String
    package let kind: Kind
    /// The size in bytes.
    package let oldSize: Int?
    package let newSize: Int?
    /// The places of values that did not exist before, in order: key paths, rows.
    package let addedValues: [String]
    package let changedValues: [String]
    package let removedValues: [String]
  }

  package enum Kind: String, Codable, Sendable {
    case added, removed, changed
  }

  package init(from old: ContainerSnapshot, to new: ContainerSnapshot) {
    let comparesValues = old.salt == new.salt
    self.comparesValues = comparesValues
    let before = Dictionary(old.files.map { ($0.path, $0) }) { first, _ in first }
    let after = Dictionary(new.files.map { ($0.path, $0) }) { first, _ in first }
    files = Set(before.keys).union(after.keys).sorted().compactMap { path in
      Self.change(path, before[path], after[path], comparesValues: comparesValues)
    }
  }

  private static func change(
    _ path: String, _ old: ContainerSnapshot.File?, _ new: ContainerSnapshot.File?,
    comparesValues: Bool
  ) -> FileChange? {
    let before = old?.values ?? [:]
    let after = new?.values ?? [:]
    let added = after.keys.filter { before[$0] == nil }.sorted()
    let removed = before.keys.filter { after[$0] == nil }.sorted()
    let changed =
      comparesValues
      ? after.keys.filter { before[$0] != nil && before[$0] != after[$0] }.sorted() : []
    let kind: Kind
    switch (old, new) {
    case (nil, _): kind = .added
    case (_, nil): kind = .removed
    case (let old?, let new?):
      // A log changes the values of its database, but not the database's file.
      let isSame =
        old.size == new.size && old.sha256 == new.sha256 && added.isEmpty && removed.isEmpty
        && changed.isEmpty
      if isSame { return nil }
      kind = .changed
    }
    return FileChange(
      path: path, kind: kind, oldSize: old?.size, newSize: new?.size, addedValues: added,
      changedValues: changed, removedValues: removed)
  }
}
