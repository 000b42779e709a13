import Foundation

/// The file that asks backup tools to skip a folder: the Cache Directory Tagging Specification
/// (https://bford.info/cachedir/).
///
/// `tar`, borg and restic skip the folder if they are called with `--exclude-caches`. Other tools
/// honour the file as well.
enum CacheDirectoryTag {
  static let name = "CACHEDIR.TAG"
  static let contents = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This folder has the device key of AtRest. A backup that has both this folder and the store
    # opens the store, so tools that honour this tag leave the folder out of backups.
    # It is not a cache: without it the stores of this device never open again. Use atrest backup.

    """

  /// Tags a folder that contains nothing except its lock. A folder with other contents is not
  /// tagged, because the tag would exclude these contents from backups too.
  static func write(into storage: FolderStorage) throws {
    guard let names = try? storage.opened()?.names(),
      names.allSatisfy({ $0.elementsEqual("lock".utf8) })
    else { return }
    try storage.replace(name, with: Data(contents.utf8))
  }
}
