/// The objects that `NSKeyedArchiver` wrote into a property list, as a plain tree.
///
/// Foundation's collections, strings, numbers, dates, URLs and UUIDs become values. An object of
/// any other class becomes a dictionary of its archived values, with the class's name under
/// ``classKey``. An object that is referred to twice appears twice. An object that contains itself
/// is cut at that point, and the tree never grows beyond ``PropertyList/valueLimit`` values and
/// ``PropertyList/depthLimit`` levels; ``skipped`` records both.
package struct KeyedArchive: Sendable {
  /// The key for the class's name in a dictionary that represents an object.
  package static let classKey = "$class"

  /// The object under the key `root` if this is the only key, otherwise a dictionary of all
  /// objects.
  package let root: PropertyList.Node
  package let skipped: [Skip]

  /// Returns true if a property list has `$archiver`, `$top` and `$objects`.
  package static func isArchive(_ list: PropertyList) -> Bool {
    guard let root = list.root, root["$archiver"]?.string != nil else { return false }
    return root["$top"]?.entries != nil && root["$objects"]?.array != nil
  }

  /// Decodes an archive. Returns nil if the property list is not an archive.
  package init?(_ list: PropertyList) {
    guard Self.isArchive(list), let top = list.root?["$top"]?.entries,
      let objects = list.root?["$objects"]?.array
    else { return nil }
    var reader = KeyedArchiveReader(path: list.path, objects: objects)
    root = reader.read(top)
    skipped = list.skipped + reader.skipped
  }
}
