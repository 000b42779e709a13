import AtRestFormats

/// The place where the files of a backup are stored: a folder, or an archive of a folder.
///
/// Implementations must be thread-safe: the methods are called from several threads at once.
package protocol BackupStorage: Sendable {
  /// Opens a file of the backup. Returns nil if it does not exist.
  ///
  /// - Parameter path: The path within the backup, with `/` as the separator, and never with `.` or
  ///   `..`.
  /// - Throws: ``FormatError`` if the file exists and cannot be opened.
  func open(_ path: String) throws(FormatError) -> ByteSource?

  /// The names of the folders at the top level.
  func folders() -> [String]

  /// The regular files in one of these folders and its subfolders, at most `limit`, and the parts
  /// that could not be listed.
  func files(in folder: String, limit: Int) -> (files: [BackupStorageFile], skipped: [Skip])
}
