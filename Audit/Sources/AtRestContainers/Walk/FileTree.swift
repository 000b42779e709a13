import AtRestFormats

/// Files that can be opened one by one: a folder, an archive, a backup.
///
/// Implementations must be thread-safe: the methods are called from several threads at once.
package protocol FileTree: Sendable {
  /// Lists at most `limit` files, always in the same order, and the parts that are skipped.
  ///
  /// - Throws: ``FormatError`` if the files cannot be listed.
  func list(limit: Int) throws(FormatError) -> FileListing

  /// Opens a file that ``list(limit:)`` returned.
  ///
  /// - Throws: ``FormatError`` if it cannot be opened.
  func open(_ file: TreeFile) throws(FormatError) -> FileContents
}
