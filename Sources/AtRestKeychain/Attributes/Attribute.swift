import AtRestCrypto
import Foundation

/// The name of an item's attribute: the four-letter code that Apple's keychain gives it.
public struct Attribute: RawRepresentable, Hashable, Sendable, Codable, CustomStringConvertible {
  /// Four letters, such as `acct`.
  public let rawValue: String
  /// The four letters as one number, by which attributes are compared. 0 if there are not four
  /// letters.
  let code: UInt32

  /// Creates an attribute from its code. The calls that use an attribute refuse a code that no item
  /// class has.
  public init(rawValue: String) {
    self.rawValue = rawValue
    let letters = rawValue.utf8
    code = letters.count == 4 ? letters.reduce(0) { $0 << 8 | UInt32($1) } : 0
  }

  public static func == (a: Attribute, b: Attribute) -> Bool {
    a.code == b.code && (a.code != 0 || a.rawValue == b.rawValue)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(code) }

  func isOrdered(before other: Attribute) -> Bool {
    code != other.code ? code < other.code : code == 0 && rawValue < other.rawValue
  }

  public var description: String { Self.names[self] ?? rawValue }

  /// The types of attribute values.
  public enum Kind: Sendable {
    /// Text or bytes, compared by their bytes.
    case text
    /// Bytes or text.
    case data
    /// An integer. Text of digits is converted.
    case number
    /// A date with a time.
    case date
  }

  public static let account = Attribute(rawValue: "acct")
  public static let service = Attribute(rawValue: "svce")
  public static let generic = Attribute(rawValue: "gena")
  public static let label = Attribute(rawValue: "labl")
  public static let itemDescription = Attribute(rawValue: "desc")
  public static let comment = Attribute(rawValue: "icmt")
  public static let creator = Attribute(rawValue: "crtr")
  public static let type = Attribute(rawValue: "type")
  public static let isInvisible = Attribute(rawValue: "invi")
  public static let isNegative = Attribute(rawValue: "nega")
  public static let securityDomain = Attribute(rawValue: "sdmn")
  public static let server = Attribute(rawValue: "srvr")
  public static let networkProtocol = Attribute(rawValue: "ptcl")
  public static let authenticationType = Attribute(rawValue: "atyp")
  public static let port = Attribute(rawValue: "port")
  public static let path = Attribute(rawValue: "path")
  public static let keyClass = Attribute(rawValue: "kcls")
  public static let applicationLabel = Attribute(rawValue: "klbl")
  public static let applicationTag = Attribute(rawValue: "atag")
  public static let keySizeInBits = Attribute(rawValue: "bsiz")
  public static let effectiveKeySize = Attribute(rawValue: "esiz")
  public static let startDate = Attribute(rawValue: "sdat")
  public static let endDate = Attribute(rawValue: "edat")
  public static let isPermanent = Attribute(rawValue: "perm")
  public static let isExtractable = Attribute(rawValue: "extr")
  public static let isSensitive = Attribute(rawValue: "sens")
  public static let canEncrypt = Attribute(rawValue: "encr")
  public static let canDecrypt = Attribute(rawValue: "decr")
  public static let canDerive = Attribute(rawValue: "drve")
  public static let canSign = Attribute(rawValue: "sign")
  public static let canVerify = Attribute(rawValue: "vrfy")
  public static let canWrap = Attribute(rawValue: "wrap")
  public static let canUnwrap = Attribute(rawValue: "unwp")
  public static let tokenID = Attribute(rawValue: "tkid")
  public static let certificateType = Attribute(rawValue: "ctyp")
  public static let certificateEncoding = Attribute(rawValue: "cenc")
  public static let issuer = Attribute(rawValue: "issr")
  public static let serialNumber = Attribute(rawValue: "slnr")
  public static let subject = Attribute(rawValue: "subj")
  public static let subjectKeyID = Attribute(rawValue: "skid")
  public static let publicKeyHash = Attribute(rawValue: "pkhh")
  /// The public half of a private key in DER. This attribute is AtRest's own: reading it opens no
  /// secret.
  public static let publicKey = Attribute(rawValue: "pubk")
  public static let syncViewHint = Attribute(rawValue: "vwht")
  /// The date of the item's creation, which the keychain sets.
  public static let creationDate = Attribute(rawValue: "cdat")
  /// The date of the item's last change, which the keychain sets.
  public static let modificationDate = Attribute(rawValue: "mdat")

  private static let names: [Attribute: String] = [
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

  // A table, because a switch would compare every attribute of every call with one name after the
  // other.
  private static let kinds: [Attribute: Kind] = {
    let numbers: [Attribute] = [
      .creator, .type, .isInvisible, .isNegative, .networkProtocol, .authenticationType, .port,
      .keyClass, .keySizeInBits, .effectiveKeySize, .isPermanent, .isExtractable, .isSensitive,
      .canEncrypt, .canDecrypt, .canDerive, .canSign, .canVerify, .canWrap, .canUnwrap,
      .certificateType, .certificateEncoding,
    ]
    let dates: [Attribute] = [.creationDate, .modificationDate, .startDate, .endDate]
    let data: [Attribute] = [
      .generic, .applicationTag, .applicationLabel, .issuer, .serialNumber, .subject,
      .subjectKeyID, .publicKeyHash, .publicKey,
    ]
    var kinds: [Attribute: Kind] = [:]
    for attribute in numbers { kinds[attribute] = .number }
    for attribute in dates { kinds[attribute] = .date }
    for attribute in data { kinds[attribute] = .data }
    return kinds
  }()
}

/// The kinds of items.
public enum ItemClass: String, Sendable, CaseIterable, Codable {
  case genericPassword = "genp"
  case internetPassword = "inet"
  case key = "keys"
  case certificate = "cert"

  /// The class's number in the database.
  var number: UInt8 {
    switch self {
    case .genericPassword: 1
    case .internetPassword: 2
    case .key: 3
    case .certificate: 4
    }
  }

  init(number: UInt8) throws {
    switch number {
    case 1: self = .genericPassword
    case 2: self = .internetPassword
    case 3: self = .key
    case 4: self = .certificate
    default: throw AtRestError.damaged("An item has an unknown class \(number).")
    }
  }

  /// The attributes that identify an item, besides access group and synchronizable.
  public var primaryKeyAttributes: [Attribute] {
    switch self {
    case .genericPassword: Self.genericPasswordKey
    case .internetPassword: Self.internetPasswordKey
    case .key: Self.keyKey
    case .certificate: Self.certificateKey
    }
  }

  // Created once, because every call uses one of them.
  private static let genericPasswordKey: [Attribute] = [.account, .service]
  private static let internetPasswordKey: [Attribute] = [
    .account, .securityDomain, .server, .networkProtocol, .authenticationType, .port, .path,
  ]
  private static let keyKey: [Attribute] = [
    .keyClass, .applicationLabel, .applicationTag, .creator, .type, .keySizeInBits,
    .effectiveKeySize, .startDate, .endDate,
  ]
  private static let certificateKey: [Attribute] = [.certificateType, .issuer, .serialNumber]

  /// Every attribute that items of the class may have.
  public var attributes: Set<Attribute> {
    switch self {
    case .genericPassword: Self.genericPasswordAttributes
    case .internetPassword: Self.internetPasswordAttributes
    case .key: Self.keyAttributes
    case .certificate: Self.certificateAttributes
    }
  }

  private static let genericPasswordAttributes = genericPassword.allAttributes
  private static let internetPasswordAttributes = internetPassword.allAttributes
  private static let keyAttributes = key.allAttributes
  private static let certificateAttributes = certificate.allAttributes

  private var allAttributes: Set<Attribute> {
    var all: Set<Attribute> = [.label, .creationDate, .modificationDate, .tokenID, .syncViewHint]
    all.formUnion(primaryKeyAttributes)
    switch self {
    case .genericPassword:
      all.formUnion([
        .generic, .itemDescription, .comment, .creator, .type, .isInvisible, .isNegative,
      ])
    case .internetPassword:
      all.formUnion([
        .itemDescription, .comment, .creator, .type, .isInvisible, .isNegative,
      ])
    case .key:
      all.formUnion([
        .isPermanent, .isExtractable, .isSensitive, .canEncrypt, .canDecrypt, .canDerive,
        .canSign, .canVerify, .canWrap, .canUnwrap, .publicKey,
      ])
    case .certificate:
      all.formUnion([.certificateEncoding, .subject, .subjectKeyID, .publicKeyHash])
    }
    return all
  }

  /// The attributes that have an index. Items are compared one by one for other attributes.
  var indexedAttributes: [Attribute] {
    switch self {
    case .genericPassword: Self.indexedOfGenericPassword
    case .internetPassword: Self.indexedOfInternetPassword
    case .key: Self.indexedOfKey
    case .certificate: Self.indexedOfCertificate
    }
  }

  private static let indexedOfGenericPassword: [Attribute] = [.service, .account, .label]
  private static let indexedOfInternetPassword: [Attribute] = [.server, .account, .label]
  private static let indexedOfKey: [Attribute] = [.applicationTag, .applicationLabel, .label]
  private static let indexedOfCertificate: [Attribute] = [
    .issuer, .subject, .label, .publicKeyHash,
  ]
}
