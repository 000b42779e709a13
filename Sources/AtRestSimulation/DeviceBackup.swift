import AtRestKeychain
import Foundation

/// A backup of a device's keychain, which can be restored onto the same or another device.
///
/// Create one with ``SimulatedDevice/backup(passphrase:)``.
public struct DeviceBackup: Sendable {
  /// The items that the backup contains and leaves out.
  public let summary: BackupSummary
  /// True if the backup was made with a passphrase.
  public let isEncrypted: Bool
  /// The device from which the backup was made.
  let origin: UUID
  /// All items of the device, as another device would leave them out.
  let items: [LeftOutItem]
  let contents: Data
}
