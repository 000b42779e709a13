import Foundation

// What a search matches beside attributes, and how many items it gives.
// Unsafe to the compiler alone: literals never change.

/// Certificates that a policy holds for.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// Items of this list alone.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// The keychain files to search on macOS.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// Certificates with one of these issuers in their chain: an array of data.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// Certificates that name this address, or none: a string.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// Certificates with this text in their subject: a string.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// Passwords of this host or of a host below it: a string.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Certificates whose subject starts so: a string.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// Certificates whose subject ends so: a string.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// Certificates whose subject is this: a string.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// Whether upper and lower case are one: a Boolean.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// Whether letters with and without marks are one: a Boolean.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// Whether full-width and half-width letters are one: a Boolean.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// Certificates that lead to a trusted root alone: a Boolean.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Certificates that are valid then: a date, or null for now.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// How many items a search gives: a number or one of the two values below.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// The first that matches.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// All that match.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
