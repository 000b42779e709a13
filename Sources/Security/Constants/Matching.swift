import Foundation

// The conditions of a search beyond attributes, and the number of items it returns.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// Matches certificates that satisfy this policy. This module does not support this filter.
public nonisolated(unsafe) let kSecMatchPolicy: CFString = "m_Policy"
/// Matches only items of this list: an array. This module does not support this filter.
public nonisolated(unsafe) let kSecMatchItemList: CFString = "m_ItemList"
/// Searches these keychain files on macOS. This module does not support this option.
public nonisolated(unsafe) let kSecMatchSearchList: CFString = "m_SearchList"
/// Matches certificates with one of these issuers: an array of names in DER. The chain of issuers is
/// searched in the keychain, up to 10 certificates.
public nonisolated(unsafe) let kSecMatchIssuers: CFString = "m_Issuers"
/// Matches certificates that contain this email address, in any case: a string.
public nonisolated(unsafe) let kSecMatchEmailAddressIfPresent: CFString = "m_EmailAddressIfPresent"
/// Matches certificates whose subject contains this text: a string. This module does not support
/// this filter.
public nonisolated(unsafe) let kSecMatchSubjectContains: CFString = "m_SubjectContains"
/// Matches internet passwords of this host or of one of its subdomains: a string.
public nonisolated(unsafe) let kSecMatchHostOrSubdomainOfHost: CFString = "m_HostOrSubdomainOfHost"
/// Matches certificates whose subject starts with this text: a string. This module does not support
/// this filter.
public nonisolated(unsafe) let kSecMatchSubjectStartsWith: CFString = "m_SubjectStartsWith"
/// Matches certificates whose subject ends with this text: a string. This module does not support
/// this filter.
public nonisolated(unsafe) let kSecMatchSubjectEndsWith: CFString = "m_SubjectEndsWith"
/// Matches certificates whose whole subject is this text: a string. This module does not support
/// this filter.
public nonisolated(unsafe) let kSecMatchSubjectWholeString: CFString = "m_SubjectWholeString"
/// A Boolean value that is true if the search ignores case. It has no effect, as on iOS.
public nonisolated(unsafe) let kSecMatchCaseInsensitive: CFString = "m_CaseInsensitive"
/// A Boolean value that is true if the search ignores diacritics. It has no effect, as on iOS.
public nonisolated(unsafe) let kSecMatchDiacriticInsensitive: CFString = "m_DiacriticInsensitive"
/// A Boolean value that is true if the search ignores the width of characters. It has no effect, as
/// on iOS.
public nonisolated(unsafe) let kSecMatchWidthInsensitive: CFString = "m_WidthInsensitive"
/// A Boolean value that is true if the search matches only certificates with a trusted root. This
/// module supports only false.
public nonisolated(unsafe) let kSecMatchTrustedOnly: CFString = "m_TrustedOnly"
/// Matches certificates that are valid on this date, where null means the current date.
public nonisolated(unsafe) let kSecMatchValidOnDate: CFString = "m_ValidOnDate"
/// The maximum number of items that a search returns: a number or one of the two values below.
public nonisolated(unsafe) let kSecMatchLimit: CFString = "m_Limit"
/// Returns the first match.
public nonisolated(unsafe) let kSecMatchLimitOne: CFString = "m_LimitOne"
/// Returns all matches.
public nonisolated(unsafe) let kSecMatchLimitAll: CFString = "m_LimitAll"
