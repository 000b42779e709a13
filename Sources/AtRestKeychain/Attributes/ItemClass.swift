import AtRestCrypto
import Foundation

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

  /// The attributes that identify an item, in addition to its access group and whether it is
  /// synchronizable.
  package var primaryKeyAttributes: [ItemAttribute] {
    switch self {
    case .genericPassword: Self.genericPasswordKey
    case .internetPassword: Self.internetPasswordKey
    case .key: Self.keyKey
    case .certificate: Self.certificateKey
    }
  }

  // Created once, because every call uses one of them.
  private static let genericPasswordKey: [ItemAttribute] = [.account, .service]
  private static let internetPasswordKey: [ItemAttribute] = [
    .account, .securityDomain, .server, .networkProtocol, .authenticationType, .port, .path,
  ]
  private static let keyKey: [ItemAttribute] = [
    .keyClass, .applicationLabel, .applicationTag, .creator, .type, .keySizeInBits,
    .effectiveKeySize, .startDate, .endDate,
  ]
  private static let certificateKey: [ItemAttribute] = [.certificateType, .issuer, .serialNumber]

  /// The values that the attributes of the primary key have in an item without them.
  package var defaults: ItemAttributes {
    switch self {
    case .genericPassword: Self.genericPasswordDefaults
    case .internetPassword: Self.internetPasswordDefaults
    case .key: Self.keyDefaults
    case .certificate: Self.certificateDefaults
    }
  }

  private static let genericPasswordDefaults = genericPassword.makeDefaults()
  private static let internetPasswordDefaults = internetPassword.makeDefaults()
  private static let keyDefaults = key.makeDefaults()
  private static let certificateDefaults = certificate.makeDefaults()

  private func makeDefaults() -> ItemAttributes {
    var defaults = ItemAttributes()
    for attribute in primaryKeyAttributes {
      defaults[attribute] =
        switch attribute.kind {
        case .text: .text("")
        case .data: .data(Data())
        case .number: .number(0)
        case .date: .date(.defaultValue)
        }
    }
    return defaults
  }

  /// Every attribute that items of the class may have, except custom ones.
  public var attributes: Set<ItemAttribute> {
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

  private var allAttributes: Set<ItemAttribute> {
    var all: Set<ItemAttribute> = [
      .label, .creationDate, .modificationDate, .tokenID, .syncViewHint,
    ]
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

  /// Returns true if items of the class may have an attribute.
  func allows(_ attribute: ItemAttribute) -> Bool {
    attributes.contains(attribute) || self == .genericPassword && attribute.customName != nil
  }

  /// Returns true if an attribute has an index.
  func indexes(_ attribute: ItemAttribute) -> Bool {
    indexedAttributes.contains(attribute) || attribute.customName != nil
  }

  /// The attributes of Apple's that have an index. A query for other attributes compares the items one by one.
  var indexedAttributes: [ItemAttribute] {
    switch self {
    case .genericPassword: Self.indexedOfGenericPassword
    case .internetPassword: Self.indexedOfInternetPassword
    case .key: Self.indexedOfKey
    case .certificate: Self.indexedOfCertificate
    }
  }

  private static let indexedOfGenericPassword: [ItemAttribute] = [.service, .account, .label]
  private static let indexedOfInternetPassword: [ItemAttribute] = [.server, .account, .label]
  private static let indexedOfKey: [ItemAttribute] = [.applicationTag, .applicationLabel, .label]
  private static let indexedOfCertificate: [ItemAttribute] = [
    .issuer, .subject, .label, .publicKeyHash,
  ]
}
