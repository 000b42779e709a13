import Foundation

extension Backup {
  /// A file, folder or link of a backup, according to its manifest.
  public struct Entry: Hashable, Sendable {
    /// The container or area that the entry belongs to, such as `AppDomain-com.example` or
    /// `HomeDomain`.
    public let domain: String
    /// The path within the domain, with `/` as the separator. It comes from the manifest and may be
    /// hostile. ``BackupExtraction`` refuses paths that lead out of its folder.
    public let path: String
    public let kind: Kind
    /// The size in bytes according to the manifest. It is wrong if the file changed during the
    /// backup.
    public let size: Int
    public let modified: Date?
    public let protectionClass: ProtectionClass?
    /// True if the contents are encrypted in the backup.
    public internal(set) var isEncrypted: Bool
    /// The target of a link, as it was on the device.
    public let target: String?
    /// The file's name in hashed layouts: SHA-1 of domain, `-` and path, as 40 hexadecimal digits.
    let fileID: String?
    /// The file's key, 40 bytes, wrapped with the key of its class.
    let wrappedKey: Data?

    public enum Kind: String, Sendable {
      case file, folder, link
    }
  }
}
