/// How a tree differs from its manifest, in ascending order of the paths' bytes.
public struct FolderDifference: Hashable, Sendable {
  /// What about an entry is another.
  public enum Aspect: String, Sendable, CaseIterable, Codable {
    /// A file is a folder now, or suchlike.
    case kind
    /// The bytes of a file.
    case contents
    /// How many bytes a file has.
    case size
    /// Who may do what.
    case permissions
    /// Where a link leads, or which device it is.
    case target
  }

  /// An entry that is there and is not what it was.
  public struct Change: Hashable, Sendable {
    /// The entry.
    public let path: RelativePath
    /// What is another, in the order of ``Aspect``; never empty.
    public let aspects: [Aspect]
  }

  /// Entries that were not there.
  public let added: [RelativePath]
  /// Entries that are there no longer.
  public let removed: [RelativePath]
  /// Entries that are others now.
  public let changed: [Change]

  /// Whether the tree is what it was.
  public var isUnchanged: Bool { count == 0 }
  /// How many entries differ.
  public var count: Int { added.count + removed.count + changed.count }

  /// The positions of an entry in both lists, or in the one that has it.
  struct Pair {
    let old: Int?
    let new: Int?
  }

  /// Brings two ordered lists together by path.
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
      // Of another size, the contents are others without a look at them.
      case .contents: before.size != after.size || before.digest != after.digest
      case .size: before.size != after.size
      case .permissions: before.permissions != after.permissions
      case .target: before.target != after.target || before.device != after.device
      }
    }
  }
}
