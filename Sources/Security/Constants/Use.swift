import Foundation

// The options of a call.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// The items that ``SecItemAdd(_:_:)`` adds: an array. Other calls return `errSecParam`.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The keychain file that a call works on, on macOS. This module does not support it.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// The text that the user sees when asked to authenticate: a string.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// A Boolean value that is true if the call fails instead of asking the user.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// The handling of items that require authentication: one of the `kSecUseAuthenticationUI…` values.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The user is asked if necessary.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// The user is not asked, and a call that requires authentication fails.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// The user is not asked, and items that require authentication are left out.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// The `LAContext` that asks the user, or has already asked.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// A Boolean value that selects the iOS keychain instead of the keychain files of macOS. This
/// module has no other keychain.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// A Boolean value that selects the keychain that all users of a device share. This module does not
/// support it.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString =
  "u_UserIndependentKeychain"
