import AtRestCrypto
import Foundation

/// The name of an item's attribute: the four-letter code that Apple's keychain gives it, or a name that the
/// application chose, see ``custom(_:)``.
public struct ItemAttribute: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible
{
  /// Four letters, such as `acct`, or `custom:` and the name of a custom attribute.
  public let rawValue: String
  /// The four letters as one number, by which attributes are compared. 0 if the code does not have
  /// four letters.
  let code: UInt32

  /// Creates an attribute from its code. Calls that use the attribute throw
  /// ``AtRestError/Code/noSuchAttribute`` if the item class does not have this attribute.
  public init(rawValue: String) {
    self.rawValue = rawValue
    let letters = rawValue.utf8
    code = letters.count == 4 ? letters.reduce(0) { $0 << 8 | UInt32($1) } : 0
  }

  private static let customPrefix = "custom:"

  /// Returns an attribute with a name of the application's own, which only generic passwords may have. Names are
  /// compared byte by byte, and the index finds items by custom attributes.
  ///
  /// This exists only in AtRest: `SecItemCopyMatching` neither takes nor returns such attributes.
  public static func custom(_ name: String) -> ItemAttribute {
    ItemAttribute(rawValue: customPrefix + name)
  }

  /// The name of a custom attribute, or nil for an attribute of Apple's.
  public var customName: String? {
    guard code == 0, rawValue.utf8.starts(with: Self.customPrefix.utf8) else { return nil }
    return String(decoding: rawValue.utf8.dropFirst(Self.customPrefix.utf8.count), as: UTF8.self)
  }

  public static func == (a: ItemAttribute, b: ItemAttribute) -> Bool {
    a.code == b.code && (a.code != 0 || a.rawValue.utf8.elementsEqual(b.rawValue.utf8))
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    if code == 0 { rawValue.utf8.forEach { hasher.combine($0) } }
  }

  func isOrdered(before other: ItemAttribute) -> Bool {
    code != other.code
      ? code < other.code
      : code == 0 && rawValue.utf8.lexicographicallyPrecedes(other.rawValue.utf8)
  }

  public var description: String { Self.names[self] ?? customName ?? rawValue }

  /// The types of attribute values.
  public enum Kind: Sendable {
    /// Text or bytes, compared by their bytes.
    case text
    /// Bytes or text.
    case data
    /// An integer. Text that contains an integer is converted.
    case number
    /// A date with a time.
    case date
  }

  public static let account = ItemAttribute(rawValue: "acct")
  public static let service = ItemAttribute(rawValue: "svce")
  public static let generic = ItemAttribute(rawValue: "gena")
  public static let label = ItemAttribute(rawValue: "labl")
  public static let itemDescription = ItemAttribute(rawValue: "desc")
  public static let comment = ItemAttribute(rawValue: "icmt")
  public static let creator = ItemAttribute(rawValue: "crtr")
  public static let type = ItemAttribute(rawValue: "type")
  public static let isInvisible = ItemAttribute(rawValue: "invi")
  public static let isNegative = ItemAttribute(rawValue: "nega")
  public static let securityDomain = ItemAttribute(rawValue: "sdmn")
  public static let server = ItemAttribute(rawValue: "srvr")
  public static let networkProtocol = ItemAttribute(rawValue: "ptcl")
  public static let authenticationType = ItemAttribute(rawValue: "atyp")
  public static let port = ItemAttribute(rawValue: "port")
  public static let path = ItemAttribute(rawValue: "path")
  public static let keyClass = ItemAttribute(rawValue: "kcls")
  public static let applicationLabel = ItemAttribute(rawValue: "klbl")
  public static let applicationTag = ItemAttribute(rawValue: "atag")
  public static let keySizeInBits = ItemAttribute(rawValue: "bsiz")
  package static let effectiveKeySize = ItemAttribute(rawValue: "esiz")
  package static let startDate = ItemAttribute(rawValue: "sdat")
  package static let endDate = ItemAttribute(rawValue: "edat")
  package static let isPermanent = ItemAttribute(rawValue: "perm")
  public static let isExtractable = ItemAttribute(rawValue: "extr")
  package static let isSensitive = ItemAttribute(rawValue: "sens")
  package static let canEncrypt = ItemAttribute(rawValue: "encr")
  package static let canDecrypt = ItemAttribute(rawValue: "decr")
  package static let canDerive = ItemAttribute(rawValue: "drve")
  package static let canSign = ItemAttribute(rawValue: "sign")
  package static let canVerify = ItemAttribute(rawValue: "vrfy")
  package static let canWrap = ItemAttribute(rawValue: "wrap")
  package static let canUnwrap = ItemAttribute(rawValue: "unwp")
  public static let tokenID = ItemAttribute(rawValue: "tkid")
  package static let certificateType = ItemAttribute(rawValue: "ctyp")
  package static let certificateEncoding = ItemAttribute(rawValue: "cenc")
  public static let issuer = ItemAttribute(rawValue: "issr")
  public static let serialNumber = ItemAttribute(rawValue: "slnr")
  public static let subject = ItemAttribute(rawValue: "subj")
  public static let subjectKeyID = ItemAttribute(rawValue: "skid")
  public static let publicKeyHash = ItemAttribute(rawValue: "pkhh")
  /// The public half of a private key in DER. This attribute exists only in AtRest, and reading it
  /// opens no secret.
  public static let publicKey = ItemAttribute(rawValue: "pubk")
  package static let syncViewHint = ItemAttribute(rawValue: "vwht")
  /// The date of the item's creation, which the keychain sets.
  public static let creationDate = ItemAttribute(rawValue: "cdat")
  /// The date of the item's last change, which the keychain sets.
  public static let modificationDate = ItemAttribute(rawValue: "mdat")
  /// True for the dates that the keychain sets.
  var isDateOfItem: Bool { self == .creationDate || self == .modificationDate }

  private static let names: [ItemAttribute: String] = [
    .account: "account", .service: "service", .generic: "generic", .label: "label",
    .itemDescription: "description", .comment: "comment", .creator: "creator", .type: "type",
    .isInvisible: "invisible", .isNegative: "negative", .securityDomain: "security-domain",
    .server: "server", .networkProtocol: "protocol", .authenticationType: "authentication-type",
    .port: "port", .path: "path", .keyClass: "key-class",
    .applicationLabel: "application-label", .applicationTag: "application-tag",
    .keySizeInBits: "key-size", .effectiveKeySize: "effective-key-size",
    .startDate: "start-date", .endDate: "end-date", .isPermanent: "permanent",
    .isExtractable: "extractable", .isSensitive: "sensitive", .canEncrypt: "encrypt",
    .canDecrypt: "decrypt", .canDerive: "derive", .canSign: "sign", .canVerify: "verify",
    .canWrap: "wrap", .canUnwrap: "unwrap", .tokenID: "token",
    .certificateType: "certificate-type", .certificateEncoding: "certificate-encoding",
    .issuer: "issuer", .serialNumber: "serial-number", .subject: "subject",
    .subjectKeyID: "subject-key-id", .publicKeyHash: "public-key-hash",
    .publicKey: "public-key",
    .syncViewHint: "sync-view-hint", .creationDate: "created", .modificationDate: "modified",
  ]

  /// The type of the attribute's values.
  public var kind: Kind { Self.kinds[self] ?? .text }

  // A table, because in every call a switch would compare an attribute with one name after the
  // other.
  private static let kinds: [ItemAttribute: Kind] = {
    let numbers: [ItemAttribute] = [
      .creator, .type, .isInvisible, .isNegative, .networkProtocol, .authenticationType, .port,
      .keyClass, .keySizeInBits, .effectiveKeySize, .isPermanent, .isExtractable, .isSensitive,
      .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canWrap, .canUnwrap,
      .certificateType, .certificateEncoding,
    ]
    let dates: [ItemAttribute] = [.creationDate, .modificationDate, .startDate, .endDate]
    let data: [ItemAttribute] = [
      .generic, .applicationTag, .applicationLabel, .issuer, .serialNumber, .subject,
      .subjectKeyID, .publicKeyHash, .publicKey,
    ]
    var kinds: [ItemAttribute: Kind] = [:]
    for attribute in numbers { kinds[attribute] = .number }
    for attribute in dates { kinds[attribute] = .date }
    for attribute in data { kinds[attribute] = .data }
    return kinds
  }()
}
