import Foundation

// The values of `kSecAttrAccessible`, which say when an item is accessible.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// The item is accessible while the device is unlocked.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// The item is accessible from the first unlock after a restart.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// The item is always accessible, even before the first unlock.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// The item is accessible while the device is unlocked, and on this device only. The item is
/// deleted when the passcode is removed.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// The item is accessible while the device is unlocked, and on this device only.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// The item is accessible from the first unlock after a restart, and on this device only.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// The item is always accessible, and on this device only.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
