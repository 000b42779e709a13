import Foundation

// When an item is accessible: the values of `kSecAttrAccessible`.
// Unsafe to the compiler alone: literals never change.

/// While the device is unlocked.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlocked: CFString = "ak"
/// From the first unlock after a start on.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlock: CFString = "ck"
/// Always, even before the first unlock.
public nonisolated(unsafe) let kSecAttrAccessibleAlways: CFString = "dk"
/// While unlocked, on this device alone, and gone once the passcode is removed.
public nonisolated(unsafe) let kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly: CFString = "akpu"
/// While unlocked, on this device alone.
public nonisolated(unsafe) let kSecAttrAccessibleWhenUnlockedThisDeviceOnly: CFString = "aku"
/// From the first unlock on, on this device alone.
public nonisolated(unsafe) let kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly: CFString = "cku"
/// Always, on this device alone.
public nonisolated(unsafe) let kSecAttrAccessibleAlwaysThisDeviceOnly: CFString = "dku"
