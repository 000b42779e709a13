import AtRestKeychain
import Foundation

/// A backup of a device's keychain, to restore onto it or another one.
///
/// Made by ``SimulatedDevice/backup(passphrase:)``.
public struct DeviceBackup: Sendable {
  /// How many items it has, of what kind, and how many of the device's are not in it.
  public let summary: BackupSummary
  /// Whether it was made with a passphrase.
  public let isEncrypted: Bool
  /// The device that it is of.
  let origin: UUID
  let contents: Data
}
