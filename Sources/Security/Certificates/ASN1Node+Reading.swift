import Foundation
import SwiftASN1

/// Accessors for the parts of parsed ASN.1.
///
/// The bytes are untrusted. If a part is missing or has another type, its accessor returns nil.
extension ASN1Node {
  /// The elements of a constructed node.
  var children: [ASN1Node]? {
    guard case .constructed(let nodes) = content else { return nil }
    return Array(nodes)
  }

  /// The bytes of a primitive node.
  var primitive: Data? {
    guard case .primitive(let bytes) = content else { return nil }
    return Data(bytes)
  }

  /// The whole element, with its header.
  var encoded: Data { Data(encodedBytes) }

  func children(_ kind: ASN1Identifier) -> [ASN1Node]? {
    identifier == kind ? children : nil
  }

  /// Returns the only element inside the explicit tag `[number]`.
  func tagged(_ number: UInt) -> ASN1Node? {
    guard identifier == ASN1Identifier(tagWithNumber: number, tagClass: .contextSpecific),
      let inside = children, inside.count == 1
    else { return nil }
    return inside[0]
  }

  var objectIdentifier: ASN1ObjectIdentifier? { try? ASN1ObjectIdentifier(derEncoded: self) }

  /// The bytes of an octet string. In BER, the string may consist of several pieces.
  var octets: Data? {
    (try? ASN1OctetString(berEncoded: self, withIdentifier: .octetString))
      .map { Data($0.bytes) }
  }

  /// The bytes of a bit string, or nil if its last byte has unused bits.
  var bits: Data? {
    guard identifier == .bitString, let bytes = primitive, bytes.first == 0 else { return nil }
    return Data(bytes.dropFirst())
  }

  /// The value of an integer, or nil if the value is negative or does not fit into an `Int`.
  var number: Int? {
    guard identifier == .integer, let bytes = primitive, !bytes.isEmpty, bytes.count <= 8,
      bytes[bytes.startIndex] < 0x80
    else { return nil }
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }

  /// The instant of a UTC time or generalized time.
  var date: Date? {
    let time: GeneralizedTime
    if identifier == .utcTime, let short = try? UTCTime(derEncoded: self) {
      guard
        let long = try? GeneralizedTime(
          year: short.year, month: short.month, day: short.day, hours: short.hours,
          minutes: short.minutes, seconds: short.seconds, fractionalSeconds: 0)
      else { return nil }
      time = long
    } else if let long = try? GeneralizedTime(derEncoded: self) {
      time = long
    } else {
      return nil
    }
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar.date(
      from: DateComponents(
        year: time.year, month: time.month, day: time.day, hour: time.hours,
        minute: time.minutes, second: time.seconds))
  }

  /// The text of a string of any type that a distinguished name may use.
  var text: String? {
    guard let bytes = primitive else { return nil }
    switch identifier {
    case .utf8String: return String(validating: bytes, as: UTF8.self)
    case .printableString, .ia5String, .numericString, .visibleString:
      return bytes.allSatisfy { $0 < 0x80 } ? String(decoding: bytes, as: UTF8.self) : nil
    case .teletexString: return String(data: bytes, encoding: .isoLatin1)
    case .bmpString:
      return bytes.count % 2 == 0 ? String(data: bytes, encoding: .utf16BigEndian) : nil
    case .universalString:
      return bytes.count % 4 == 0 ? String(data: bytes, encoding: .utf32BigEndian) : nil
    default: return nil
    }
  }
}
