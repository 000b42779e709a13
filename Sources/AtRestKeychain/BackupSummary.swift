import AtRestCrypto
import AtRestKeybag
import Crypto
import Foundation

/// The items that a backup contains and leaves out.
public struct BackupSummary: Sendable, Hashable {
  /// The number of items that can be restored on any device.
  public internal(set) var migratable = 0
  /// The number of items that can be restored only on this device.
  public internal(set) var thisDeviceOnly = 0
  /// The items that the backup leaves out: items of the when-passcode-set class, migratable keys of
  /// the secure element and, in the backup of a simulated device, items with access control.
  public internal(set) var leftOut: [LeftOutItem] = []
}
