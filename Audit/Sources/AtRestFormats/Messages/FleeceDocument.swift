/// A document of Couchbase Lite 2 and later, as a tree.
///
/// The format is described in `Fleece.md` of github.com/couchbase/fleece. Values are read from the end
/// backwards and may be shared; the tree never grows beyond ``PropertyList/valueLimit`` values and
/// ``PropertyList/depthLimit`` levels, which is said in ``skipped``.
package struct FleeceDocument: Sendable {
  package let root: PropertyList.Node
  package let skipped: [Skip]

  /// - Parameters:
  ///   - sharedKeys: The database's table of keys, which documents refer to by index; a key beyond it is
  ///     given as `#` and its index.
  ///   - path: The document's name in what is left out.
  /// - Throws: ``FormatError`` if these bytes have no root that can be read.
  package init(_ bytes: [UInt8], sharedKeys: [String] = [], path: String) throws(FormatError) {
    var reader = FleeceReader(bytes: bytes, sharedKeys: sharedKeys, path: path)
    guard bytes.count >= 2, bytes.count % 2 == 0, let root = reader.root() else {
      throw FormatError("This is no document of Fleece.", offset: max(0, bytes.count - 2))
    }
    self.root = root
    skipped = reader.skipped
  }
}
