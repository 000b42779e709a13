import AtRestFormats

/// What a walk goes through: a folder, a file, an archive, a backup.
public struct ContainerSource: Sendable {
  let tree: any FileTree

  package init(_ tree: any FileTree) { self.tree = tree }

  /// The files of a backup: `AppDomain-com.example/Documents/…`.
  ///
  /// - Parameter backup: Unlocked, if it is encrypted; the files of a locked one cannot be opened.
  public init(_ backup: Backup) { tree = BackupTree(backup) }

  /// A data container, the folder of a simulator, a Linux data directory, a backup that is not
  /// encrypted; or one file, of which an archive (ipa, zip, tar, gz) is opened.
  ///
  /// - Throws: ``FormatError`` if the path names neither a folder nor a regular file.
  public init(_ path: String) throws(FormatError) { tree = try FolderTree(path) }

  /// Files in memory.
  public init(files: [String: [UInt8]]) { tree = MemoryTree(files: files) }
}
