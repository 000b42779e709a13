/// The differences between a folder and its manifest, in ascending order of the paths' bytes.
package struct FolderDifference: Hashable, Sendable {
  /// A property in which an entry differs.
  package enum Aspect: String, Sendable, CaseIterable, Codable {
    /// The kind of entry, for example if a file is now a folder.
    case kind
    /// The bytes of a file.
    case contents
    /// The size of a file.
    case size
    /// The permission bits.
    case permissions
    /// The target of a link, or the number of a device.
    case target
  }

  /// An entry that exists but has changed.
  package struct Change: Hashable, Sendable {
    /// The path of the entry.
    package let path: RelativePath
    /// The properties that differ, in the order of ``Aspect``; never empty.
    package let aspects: [Aspect]
  }

  /// Entries that were added.
  package let added: [RelativePath]
  /// Entries that were removed.
  package let removed: [RelativePath]
  /// Entries that were changed.
  package let changed: [Change]

  /// A Boolean value that is true if the folder is unchanged.
  package var isUnchanged: Bool { count == 0 }
  /// The number of entries that differ.
  package var count: Int { added.count + removed.count + changed.count }

  /// The positions of an entry in the old and the new list, or nil where it is missing.
  struct Pair {
    let old: Int?
    let new: Int?
  }

  /// Merges two ordered lists by path.
  static func pairs(
    _ old: [FolderManifest.Entry], _ new: [FolderManifest.Entry]
  ) -> [Pair] {
    var pairs: [Pair] = []
    pairs.reserveCapacity(max(old.count, new.count))
    var i = 0
    var j = 0
    while i < old.count || j < new.count {
      if j == new.count || (i < old.count && old[i].path < new[j].path) {
        pairs.append(Pair(old: i, new: nil))
        i += 1
      } else if i == old.count || new[j].path < old[i].path {
        pairs.append(Pair(old: nil, new: j))
        j += 1
      } else {
        pairs.append(Pair(old: i, new: j))
        i += 1
        j += 1
      }
    }
    return pairs
  }

  init(_ old: [FolderManifest.Entry], _ new: [FolderManifest.Entry], _ pairs: [Pair]) {
    var added: [RelativePath] = []
    var removed: [RelativePath] = []
    var changed: [Change] = []
    for pair in pairs {
      switch (pair.old.map { old[$0] }, pair.new.map { new[$0] }) {
      case (let before?, let after?):
        let aspects = Self.aspects(before, after)
        if !aspects.isEmpty { changed.append(Change(path: after.path, aspects: aspects)) }
      case (let before?, nil): removed.append(before.path)
      case (nil, let after?): added.append(after.path)
      case (nil, nil): break
      }
    }
    self.added = added
    self.removed = removed
    self.changed = changed
  }

  private static func aspects(
    _ before: FolderManifest.Entry, _ after: FolderManifest.Entry
  ) -> [Aspect] {
    guard before.kind == after.kind else { return [.kind] }
    return Aspect.allCases.filter { aspect in
      switch aspect {
      case .kind: false
      // If the size differs, the contents differ too; they need not be hashed.
      case .contents: before.size != after.size || before.digest != after.digest
      case .size: before.size != after.size
      case .permissions: before.permissions != after.permissions
      case .target: before.target != after.target || before.device != after.device
      }
    }
  }
}
