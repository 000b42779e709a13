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

  /// A class of Data Protection, by the number that keybags and manifests have.
  public struct ProtectionClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The name that apps use: `NSFileProtectionComplete`.
    public var description: String {
      switch rawValue {
      case 1: "NSFileProtectionComplete"
      case 2: "NSFileProtectionCompleteUnlessOpen"
      case 3: "NSFileProtectionCompleteUntilFirstUserAuthentication"
      case 4: "NSFileProtectionNone"
      default: "class \(rawValue)"
      }
    }
  }

  /// What the manifest says of the device and the backup.
  public struct Info: Hashable, Sendable {
    public internal(set) var deviceName: String?
    /// The model as Apple numbers it: `iPhone14,2`.
    public internal(set) var deviceModel: String?
    /// The version of iOS.
    public internal(set) var systemVersion: String?
    public internal(set) var date: Date?
    public internal(set) var wasPasscodeSet: Bool?
    /// What `IsEncrypted` says, which ``Backup/isEncrypted`` does not go by.
    public internal(set) var claimsEncryption: Bool?
  }

  /// An app that was installed.
  public struct Application: Hashable, Sendable {
    /// Its bundle identifier.
    public let identifier: String
    public let version: String?
    /// The domain of its data container.
    public var domain: String { "AppDomain-\(identifier)" }
  }
}
