import Foundation

extension Backup {
  /// A file, folder or link of a backup, as its manifest lists it.
  public struct Entry: Hashable, Sendable {
    /// The container or area that it belongs to: `AppDomain-com.example`, `HomeDomain`.
    public let domain: String
    /// Below the domain, with `/` between its parts. It comes from the manifest and may be hostile:
    /// ``BackupExtraction`` refuses what leads out of its folder.
    public let path: String
    public let kind: Kind
    /// In bytes, as the manifest gives it; that of a file that changed during the backup is not true.
    public let size: Int
    public let modified: Date?
    public let protectionClass: ProtectionClass?
    /// Whether its contents are encrypted in the backup.
    public internal(set) var isEncrypted: Bool
    /// Where a link leads, as it was on the device.
    public let target: String?
    /// The name in hashed layouts: SHA-1 of domain, `-` and path, as 40 hex digits.
    let fileID: String?
    /// 40 bytes, wrapped under the key of the class.
    let wrappedKey: Data?

    public enum Kind: String, Sendable {
      case file, folder, link
    }
  }
}
