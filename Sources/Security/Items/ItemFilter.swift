import AtRestKeychain
import AtRestSecKey
import Foundation

/// The `kSecMatch…` conditions of a query, except the limit.
struct ItemFilter {
  private var issuers: [Data]?
  private var validOn: Date?
  private var email: String?
  private var host: String?
  /// True if the query contains a condition, even one that matches every item.
  private(set) var isEmpty = true

  /// True if the value of a certificate has to be opened to decide.
  var opensCertificates: Bool { validOn != nil || email != nil }

  /// True if some items may not match.
  var isSelective: Bool { issuers != nil || host != nil || opensCertificates }

  /// Adds the condition of a key.
  ///
  /// - Throws: ``StatusError`` with `errSecParam` for a value of a wrong type, and with
  ///   `errSecUnimplemented` for a condition that this module does not support.
  mutating func set(_ key: String, _ value: Any) throws {
    isEmpty = false
    switch key {
    case "m_Issuers":
      guard let names = value as? [Data] else {
        throw ItemRequest.wrongType(value, key, "an array of data")
      }
      issuers = names.map { DistinguishedName(der: $0)?.normalized ?? $0 }
    case "m_ValidOnDate":
      guard value is NSNull || value is Date else {
        throw ItemRequest.wrongType(value, key, "a date or null")
      }
      validOn = value as? Date ?? Date()
    case "m_EmailAddressIfPresent":
      guard let text = value as? String else { throw ItemRequest.wrongType(value, key, "a string") }
      email = text.lowercased()
    case "m_HostOrSubdomainOfHost":
      guard let text = value as? String else { throw ItemRequest.wrongType(value, key, "a string") }
      host = text
    // iOS ignores these, and without them a search finds no item that the caller excluded.
    case "m_CaseInsensitive", "m_DiacriticInsensitive", "m_WidthInsensitive": break
    // Ignoring a filter would find items that the caller excluded.
    case "m_TrustedOnly":
      guard let number = value as? NSNumber, number.isBoolean else {
        throw ItemRequest.wrongType(value, key, "a Boolean")
      }
      if number.boolValue {
        throw StatusError(errSecUnimplemented, "The filter \(key) is not supported.")
      }
    case "m_Policy" where !(value is SecPolicy):
      throw ItemRequest.wrongType(value, key, "a SecPolicy")
    case "m_ItemList": throw StatusError(errSecParam, "kSecMatchItemList is not supported.")
    default: throw StatusError(errSecUnimplemented, "The filter \(key) is not supported.")
    }
  }

  /// Throws if items of a class cannot have what the conditions compare.
  func check(_ itemClass: RequestedClass) throws {
    let isCertificate = itemClass == .items(.certificate) || itemClass == .identity
    guard isCertificate || issuers == nil, host == nil || itemClass == .items(.internetPassword)
    else {
      throw StatusError(errSecUnimplemented, "Items of this class have no such kSecMatch filter.")
    }
  }

  /// Returns true if an item meets the conditions. A condition on certificates applies to no other
  /// item.
  ///
  /// - Parameter issuersOfIssuer: Returns the issuers of the certificates whose subject is an issuer.
  func matches(
    _ item: KeychainItem, issuersOfIssuer: (Data) throws -> [Data]
  ) throws -> Bool {
    if let host {
      guard let server = item.attributes.server, server == host || server.hasSuffix("." + host)
      else { return false }
    }
    guard item.itemClass == .certificate else { return true }
    if let issuers {
      guard case .data(let issuer) = item.attributes[.issuer],
        try Self.isIssued(issuer, byAnyOf: issuers, Self.maximumChainLength, issuersOfIssuer)
      else { return false }
    }
    guard opensCertificates else { return true }
    guard let certificate = item.certificate else { return false }
    if let validOn, !certificate.isValid(on: validOn) { return false }
    guard let email else { return true }
    return certificate.emailAddresses.contains { $0.lowercased() == email }
  }

  private static let maximumChainLength = 10

  private static func isIssued(
    _ issuer: Data, byAnyOf issuers: [Data], _ length: Int,
    _ issuersOfIssuer: (Data) throws -> [Data]
  ) throws -> Bool {
    if issuers.contains(issuer) { return true }
    guard length > 1 else { return false }
    return try issuersOfIssuer(issuer).contains {
      // A root certificate is its own issuer.
      try $0 != issuer && isIssued($0, byAnyOf: issuers, length - 1, issuersOfIssuer)
    }
  }
}
