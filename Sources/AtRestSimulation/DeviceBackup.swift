import AtRestKeychain
import Foundation

/// A backup of a device's keychain, to restore onto the same device or another one.
///
/// Create one with ``SimulatedDevice/backup(passphrase:)``.
public struct DeviceBackup: Sendable {
  /// The number of items in the backup, by kind, and the number of items that it leaves out.
  public let summary: BackupSummary
  /// True if the backup was made with a passphrase.
  public let isEncrypted: Bool
  /// The device from which the backup was made.
  let origin: UUID
  let contents: Data
}
