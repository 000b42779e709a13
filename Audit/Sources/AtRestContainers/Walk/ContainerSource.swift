import AtRestFormats

/// The source of a walk: a folder, a file, an archive or a backup.
public struct ContainerSource: Sendable {
  let tree: any FileTree

  package init(_ tree: any FileTree) { self.tree = tree }

  /// Creates a source from the files of a backup: `AppDomain-com.example/Documents/…`.
  ///
  /// - Parameter backup: The backup. If it is encrypted and locked, its files cannot be opened.
  public init(_ backup: Backup) { tree = BackupTree(backup) }

  /// Creates a source from a data container, a simulator's folder, a Linux data directory or an
  /// unencrypted backup, or from a single file. An archive (ipa, zip, tar, gz) is opened.
  ///
  /// - Throws: ``FormatError`` if the path is neither a folder nor a regular file.
  public init(_ path: String) throws(FormatError) { tree = try FolderTree(path) }

  /// Creates a source from files in memory.
  public init(files: [String: [UInt8]]) { tree = MemoryTree(files: files) }
}
