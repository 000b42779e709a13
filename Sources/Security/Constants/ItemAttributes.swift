import Foundation

// The attributes of items, by the names that the store knows them by.
// Unsafe to the compiler alone: literals never change.

/// When the item is accessible: one of the `kSecAttrAccessible…` values.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// The access lists of the macOS file keychain, which is not offered here.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// Who must be there when the item is read: a ``SecAccessControl``.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access group: a string.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// The access group of items that live in tokens.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// Whether the item may leave for other devices: a Boolean, or ``kSecAttrSynchronizableAny``.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// In a query: synchronizable or not.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// A hint at what the item syncs with: a string.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// When the item was made: a date.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// When the item was last changed: a date.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// What kind of item it is, for people: a string.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A comment, for people: a string.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// Who made the item: a number made of four letters.
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The type of the item: a number made of four letters.
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// The item's name, for people: a string.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// Whether lists should leave the item out: a Boolean.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// Whether the item stands for a password that shall not be saved: a Boolean.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The account: a string.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service that a generic password is for: a string.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Whatever the application likes: data.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// The security domain of an internet password: a string.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The host of an internet password: a string.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The protocol of an internet password: one of the `kSecAttrProtocol…` values.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// How an internet password is presented: one of the `kSecAttrAuthenticationType…` values.
public nonisolated(unsafe) let kSecAttrAuthenticationType: CFString = "atyp"
/// The port of an internet password: a number.
public nonisolated(unsafe) let kSecAttrPort: CFString = "port"
/// The path of an internet password: a string.
public nonisolated(unsafe) let kSecAttrPath: CFString = "path"
/// The subject of a certificate, in DER: data, read only.
public nonisolated(unsafe) let kSecAttrSubject: CFString = "subj"
/// The issuer of a certificate, in DER: data, read only.
public nonisolated(unsafe) let kSecAttrIssuer: CFString = "issr"
/// The serial number of a certificate: data, read only.
public nonisolated(unsafe) let kSecAttrSerialNumber: CFString = "slnr"
/// The subject key identifier of a certificate: data, read only.
public nonisolated(unsafe) let kSecAttrSubjectKeyID: CFString = "skid"
/// The hash of a certificate's public key: data, read only.
public nonisolated(unsafe) let kSecAttrPublicKeyHash: CFString = "pkhh"
/// The type of a certificate: a number, read only.
public nonisolated(unsafe) let kSecAttrCertificateType: CFString = "ctyp"
/// The encoding of a certificate: a number, read only.
public nonisolated(unsafe) let kSecAttrCertificateEncoding: CFString = "cenc"
/// The token that the item lives in: a string.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The secure element: private keys made there never leave it.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The former spelling of ``kSecAttrPersistentReference``.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// The persistent reference of the item: data.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
