import AtRestFormats

/// Files that can be opened one by one: a folder, an archive, a backup.
///
/// It is asked from several threads at once.
package protocol FileTree: Sendable {
  /// The files in an order that is the same each time, at most `limit` of them, and what is left out.
  ///
  /// - Throws: ``FormatError`` if nothing can be listed at all.
  func list(limit: Int) throws(FormatError) -> FileListing

  /// Opens a file that ``list(limit:)`` gave.
  ///
  /// - Throws: ``FormatError`` if it cannot be opened.
  func open(_ file: TreeFile) throws(FormatError) -> FileContents
}
