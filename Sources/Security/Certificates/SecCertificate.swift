import AtRestCrypto
import AtRestKeychain
import Crypto
import Foundation
import SwiftASN1

/// An X.509 certificate (RFC 5280).
///
/// The certificate is only parsed: neither its signature nor its dates are checked. Certificates
/// are equal if their encodings are equal.
public final class SecCertificate: NSObject, Sendable {
  /// The DER encoding.
  let data: Data
  /// The version, from 1 to 3.
  let version: Int
  /// The bytes of the serial number, a signed big-endian number.
  let serialNumber: Data
  let issuer: DistinguishedName
  let subject: DistinguishedName
  /// The first and the last instant at which the certificate is valid.
  let validity: (notBefore: Date, notAfter: Date)
  /// The SubjectPublicKeyInfo.
  let publicKeyInfo: Data
  /// The SHA-1 hash of the public key, which is also the application label of the private key.
  let publicKeyHash: Data
  let subjectKeyIdentifier: Data?
  /// The email addresses among the subject's alternative names.
  let alternativeEmailAddresses: [String]
  /// The host names among the subject's alternative names.
  let alternativeHosts: [String]

  /// Reads a certificate. Returns nil if the bytes are not a certificate.
  init?(data: Data) {
    guard let root = try? DER.parse(Array(data)),
      let outer = root.children(.sequence), outer.count == 3,
      outer[1].children(.sequence) != nil, outer[2].bits != nil,
      var fields = outer[0].children(.sequence)
    else { return nil }
    var version = 1
    if let first = fields.first?.tagged(0) {
      guard let number = first.number, number <= 2 else { return nil }
      version = number + 1
      fields.removeFirst()
    }
    guard fields.count >= 6,
      fields[0].identifier == .integer, let serialNumber = fields[0].primitive,
      !serialNumber.isEmpty,
      fields[1].children(.sequence) != nil,
      let issuer = DistinguishedName(fields[2]),
      let dates = fields[3].children(.sequence), dates.count == 2,
      let notBefore = dates[0].date, let notAfter = dates[1].date,
      let subject = DistinguishedName(fields[4]),
      let info = fields[5].children(.sequence), info.count == 2,
      info[0].children(.sequence) != nil, let key = info[1].bits
    else { return nil }
    self.data = data
    self.version = version
    self.serialNumber = serialNumber
    self.issuer = issuer
    self.subject = subject
    validity = (notBefore, notAfter)
    publicKeyInfo = fields[5].encoded
    publicKeyHash = Data(Insecure.SHA1.hash(data: key))

    var identifier: Data?
    var emailAddresses: [String] = []
    var hosts: [String] = []
    // The unique identifiers, [1] and [2], may precede the extensions, [3].
    for field in fields.dropFirst(6) {
      guard let extensions = field.tagged(3) else { continue }
      guard let extensions = extensions.children(.sequence) else { return nil }
      for element in extensions {
        guard let parts = element.children(.sequence), (2...3).contains(parts.count),
          let name = parts[0].objectIdentifier, let value = parts[parts.count - 1].octets
        else { return nil }
        switch name {
        case .subjectKeyIdentifier: identifier = (try? DER.parse(Array(value)))?.octets
        case .subjectAlternativeName:
          for name in (try? DER.parse(Array(value)))?.children(.sequence) ?? [] {
            guard let bytes = name.primitive, bytes.allSatisfy({ $0 < 0x80 }) else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            switch name.identifier {
            case ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific):
              emailAddresses.append(text)
            case ASN1Identifier(tagWithNumber: 2, tagClass: .contextSpecific): hosts.append(text)
            default: break
            }
          }
        default: break
        }
      }
    }
    subjectKeyIdentifier = identifier
    alternativeEmailAddresses = emailAddresses
    alternativeHosts = hosts
  }

  func isValid(on date: Date) -> Bool { validity.notBefore <= date && date <= validity.notAfter }

  var emailAddresses: [String] { alternativeEmailAddresses + subject.texts(.emailAddress) }

  /// A readable name: the common name, an email address, a host name or another part of the
  /// subject, or nil if there is none.
  var summary: String? {
    let (text, isCommonName) = subject.summary
    return isCommonName ? text : emailAddresses.first ?? alternativeHosts.first ?? text
  }

  /// The public key, or nil if this module does not support its type or size.
  var publicKey: PublicKey? { try? PublicKey(importing: publicKeyInfo) }

  /// The attributes of an item that holds this certificate. The item's value is ``data``.
  var itemAttributes: ItemAttributes {
    var all: ItemAttributes = [
      .certificateType: .number(Int64(version)),
      // 3 stands for DER.
      .certificateEncoding: 3,
      .issuer: .data(issuer.normalized), .subject: .data(subject.normalized),
      .serialNumber: .data(serialNumber), .publicKeyHash: .data(publicKeyHash),
    ]
    if let subjectKeyIdentifier { all[.subjectKeyID] = .data(subjectKeyIdentifier) }
    if let summary { all[.label] = .text(summary) }
    return all
  }

  /// The attributes whose values come from the certificate.
  ///
  /// A caller who adds a certificate cannot give these attributes other values, because keys are
  /// found by them.
  static let ownAttributes: [ItemAttribute] = [
    .certificateType, .issuer, .subject, .serialNumber, .publicKeyHash,
  ]

  public override func isEqual(_ object: Any?) -> Bool {
    (object as? SecCertificate)?.data == data
  }
  public override var hash: Int { data.hashValue }
  public override var description: String { "<SecCertificate: \(summary ?? "no name")>" }
}
