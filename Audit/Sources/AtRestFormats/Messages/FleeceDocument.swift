/// A document of Couchbase Lite 2 or later, as a tree.
///
/// The format is described in `Fleece.md` of github.com/couchbase/fleece. Values are read from the
/// end backwards and may be shared. The tree never grows beyond ``PropertyList/valueLimit`` values
/// and ``PropertyList/depthLimit`` levels; ``skipped`` records when a limit is reached.
package struct FleeceDocument: Sendable {
  package let root: PropertyList.Node
  package let skipped: [Skip]

  /// Decodes a document.
  ///
  /// - Parameters:
  ///   - sharedKeys: The database's table of keys, which documents refer to by index. A key beyond
  ///     it is given as `#` and its index.
  ///   - path: The document's name in ``skipped``.
  /// - Throws: ``FormatError`` if the bytes have no readable root.
  package init(_ bytes: [UInt8], sharedKeys: [String] = [], path: String) throws(FormatError) {
    var reader = FleeceReader(bytes: bytes, sharedKeys: sharedKeys, path: path)
    guard bytes.count >= 2, bytes.count % 2 == 0, let root = reader.root() else {
      throw FormatError("This is not a Fleece document.", offset: max(0, bytes.count - 2))
    }
    self.root = root
    skipped = reader.skipped
  }
}
