import Foundation

extension Backup {
  /// Information about the device and the backup, from the manifest.
  public struct Info: Hashable, Sendable {
    public internal(set) var deviceName: String?
    /// The model in Apple's numbering, such as `iPhone14,2`.
    public internal(set) var deviceModel: String?
    /// The version of iOS.
    public internal(set) var systemVersion: String?
    public internal(set) var date: Date?
    public internal(set) var wasPasscodeSet: Bool?
    /// The value of `IsEncrypted`, which ``Backup/isEncrypted`` does not rely on.
    public internal(set) var claimsEncryption: Bool?
  }
}
