import Foundation

// How a call goes about its work.
// Unsafe to the compiler alone: literals never change.

/// The items that a call works on.
public nonisolated(unsafe) let kSecUseItemList: CFString = "u_ItemList"
/// The keychain file that a call works on, on macOS.
public nonisolated(unsafe) let kSecUseKeychain: CFString = "u_Keychain"
/// What the person is told when asked to authenticate: a string.
public nonisolated(unsafe) let kSecUseOperationPrompt: CFString = "u_OpPrompt"
/// Whether a call that would have to ask fails: a Boolean.
public nonisolated(unsafe) let kSecUseNoAuthenticationUI: CFString = "u_NoAuthUI"
/// What happens to items that need a person: one of the `kSecUseAuthenticationUI…` values.
public nonisolated(unsafe) let kSecUseAuthenticationUI: CFString = "u_AuthUI"
/// The person is asked.
public nonisolated(unsafe) let kSecUseAuthenticationUIAllow: CFString = "u_AuthUIA"
/// Nobody is asked, and the call fails.
public nonisolated(unsafe) let kSecUseAuthenticationUIFail: CFString = "u_AuthUIF"
/// Nobody is asked, and items that need it are left out.
public nonisolated(unsafe) let kSecUseAuthenticationUISkip: CFString = "u_AuthUIS"
/// The `LAContext` that asks, or has asked already.
public nonisolated(unsafe) let kSecUseAuthenticationContext: CFString = "u_AuthCtx"
/// The keychain of iOS instead of macOS's files: the one there is here.
public nonisolated(unsafe) let kSecUseDataProtectionKeychain: CFString = "nleg"
/// The keychain that all users of a device share.
public nonisolated(unsafe) let kSecUseUserIndependentKeychain: CFString =
  "u_UserIndependentKeychain"
