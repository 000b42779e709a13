import Foundation

extension Backup {
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
}
