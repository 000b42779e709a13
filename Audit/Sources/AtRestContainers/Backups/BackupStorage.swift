import AtRestFormats

/// Where the files of a backup lie: a folder, or an archive of one.
///
/// It is asked from several threads at once.
package protocol BackupStorage: Sendable {
  /// Opens a file of the backup; nil where there is none.
  ///
  /// - Parameter path: Below the backup, with `/` between its parts; never with `.` or `..`.
  /// - Throws: ``FormatError`` if it is there and cannot be opened.
  func open(_ path: String) throws(FormatError) -> ByteSource?

  /// The names of the folders that lie in it, not of those within them.
  func folders() -> [String]

  /// The regular files below one of these folders, at most `limit` of them, and what could not be
  /// listed.
  func files(in folder: String, limit: Int) -> (files: [BackupStorageFile], skipped: [Skip])
}
