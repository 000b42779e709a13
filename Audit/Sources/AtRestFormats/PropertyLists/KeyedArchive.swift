/// What `NSKeyedArchiver` wrote into a property list, as a plain tree.
///
/// Foundation's collections, texts, numbers, dates, URLs and UUIDs become values; an object of any other
/// class becomes a dictionary of what it wrote, with the class's name under ``classKey``. An object that
/// is referred to twice stands at both places. An object that holds itself is cut where it does, and the
/// tree never grows beyond ``PropertyList/valueLimit`` values and ``PropertyList/depthLimit`` levels;
/// both are said in ``skipped``.
package struct KeyedArchive: Sendable {
  /// The key of a dictionary that stands for an object, with its class.
  package static let classKey = "$class"

  /// The object under the key `root` where the archive has this key alone, else a dictionary of all.
  package let root: PropertyList.Node
  package let skipped: [Skip]

  /// Whether it is a property list of `$archiver`, `$top` and `$objects`.
  package static func isArchive(_ list: PropertyList) -> Bool {
    guard let root = list.root, root["$archiver"]?.string != nil else { return false }
    return root["$top"]?.entries != nil && root["$objects"]?.array != nil
  }

  /// Decodes an archive; nothing if the property list is none.
  package init?(_ list: PropertyList) {
    guard Self.isArchive(list), let top = list.root?["$top"]?.entries,
      let objects = list.root?["$objects"]?.array
    else { return nil }
    var reader = KeyedArchiveReader(path: list.path, objects: objects)
    root = reader.read(top)
    skipped = list.skipped + reader.skipped
  }
}
