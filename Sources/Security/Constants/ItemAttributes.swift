import Foundation

// The attributes of items. Each value is the name that the store uses.
// `nonisolated(unsafe)` is safe here, because literals never change.

/// The accessibility of the item: one of the `kSecAttrAccessible…` values.
public nonisolated(unsafe) let kSecAttrAccessible: CFString = "pdmn"
/// The access lists of the macOS file keychain. This module does not support them.
public nonisolated(unsafe) let kSecAttrAccess: CFString = "acls"
/// The conditions for reading the item: a ``SecAccessControl``.
public nonisolated(unsafe) let kSecAttrAccessControl: CFString = "accc"
/// The access group: a string.
public nonisolated(unsafe) let kSecAttrAccessGroup: CFString = "agrp"
/// The access group of items that are stored on tokens.
public nonisolated(unsafe) let kSecAttrAccessGroupToken: CFString = "com.apple.token"
/// A Boolean value that is true if the item may be synchronized to other devices, or
/// ``kSecAttrSynchronizableAny``.
public nonisolated(unsafe) let kSecAttrSynchronizable: CFString = "sync"
/// A value for queries that matches items whether or not they are synchronizable.
public nonisolated(unsafe) let kSecAttrSynchronizableAny: CFString = "syna"
/// The sync view of the item: a string that is only a hint.
public nonisolated(unsafe) let kSecAttrSyncViewHint: CFString = "vwht"
/// The date on which the item was created.
public nonisolated(unsafe) let kSecAttrCreationDate: CFString = "cdat"
/// The date on which the item was last modified.
public nonisolated(unsafe) let kSecAttrModificationDate: CFString = "mdat"
/// A user-visible description of the kind of item: a string.
public nonisolated(unsafe) let kSecAttrDescription: CFString = "desc"
/// A user-editable comment: a string.
public nonisolated(unsafe) let kSecAttrComment: CFString = "icmt"
/// The creator of the item: a four-character code as a number.
public nonisolated(unsafe) let kSecAttrCreator: CFString = "crtr"
/// The type of the item: a four-character code as a number.
public nonisolated(unsafe) let kSecAttrType: CFString = "type"
/// The user-visible name of the item: a string.
public nonisolated(unsafe) let kSecAttrLabel: CFString = "labl"
/// A Boolean value that is true if lists should not show the item.
public nonisolated(unsafe) let kSecAttrIsInvisible: CFString = "invi"
/// A Boolean value that is true if the item marks a password that must not be saved.
public nonisolated(unsafe) let kSecAttrIsNegative: CFString = "nega"
/// The account: a string.
public nonisolated(unsafe) let kSecAttrAccount: CFString = "acct"
/// The service that a generic password is for: a string.
public nonisolated(unsafe) let kSecAttrService: CFString = "svce"
/// Data that the application defines.
public nonisolated(unsafe) let kSecAttrGeneric: CFString = "gena"
/// The security domain of an internet password: a string.
public nonisolated(unsafe) let kSecAttrSecurityDomain: CFString = "sdmn"
/// The host of an internet password: a string.
public nonisolated(unsafe) let kSecAttrServer: CFString = "srvr"
/// The protocol of an internet password: one of the `kSecAttrProtocol…` values.
public nonisolated(unsafe) let kSecAttrProtocol: CFString = "ptcl"
/// The authentication type of an internet password: one of the
/// `kSecAttrAuthenticationType…` values.
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
/// The token that stores the item: a string.
public nonisolated(unsafe) let kSecAttrTokenID: CFString = "tkid"
/// The secure element. A private key that is created in the secure element never leaves it.
public nonisolated(unsafe) let kSecAttrTokenIDSecureEnclave: CFString = "com.apple.setoken"
/// The former spelling of ``kSecAttrPersistentReference``.
public nonisolated(unsafe) let kSecAttrPersistantReference: CFString = "persistref"
/// The persistent reference of the item: data.
public nonisolated(unsafe) let kSecAttrPersistentReference: CFString = "persistref"
