import AtRestCrypto
import Foundation

/// Refusing what would separate the item of a hardware key from the key.
extension ItemWriter {
  /// The attributes that the hardware's key determines.
  private static var fixedAttributes: [ItemAttribute] {
    [.keyClass, .type, .keySizeInBits, .publicKey, .tokenID]
  }

  static var fixedHardwareKey: AtRestError {
    .invalid(
      "The key is in hardware, so its value, type and public half cannot be changed.",
      remedy: "Delete the key and create another.")
  }

  /// Refuses protections that only a key in memory can have.
  func checkHardwareKey(_ accessibility: Accessibility, isSynchronizable: Bool) throws {
    guard !accessibility.keyClass.isMigratable, !isSynchronizable else {
      throw AtRestError.invalid(
        "A key in hardware never leaves the device, so it cannot be "
          + (isSynchronizable ? "synchronizable." : "\(accessibility.name)."),
        remedy: "Use a this-device-only accessibility, such as "
          + "\(Accessibility.whenUnlockedThisDeviceOnly.name), without synchronization.")
    }
  }

  func checkHardwareKeyStays(_ former: ItemMetadata, _ metadata: ItemMetadata) throws {
    guard Self.fixedAttributes.allSatisfy({ former.attributes[$0] == metadata.attributes[$0] })
    else { throw Self.fixedHardwareKey }
  }
}
