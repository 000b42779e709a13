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
  ///
  /// Old certificates have times without seconds or with a time zone, which DER forbids and Apple
  /// accepts: `YYMMDDhhmmZ`, and `±hhmm` in place of `Z`. Second 60 is a leap second.
  var date: Date? {
    guard let bytes = primitive, identifier == .utcTime || identifier == .generalizedTime else {
      return nil
    }
    let isShort = identifier == .utcTime
    let text = String(decoding: bytes, as: UTF8.self)
    guard let time = text.wholeMatch(of: /([0-9]{12,14}|[0-9]{10})(?:Z|([+-])([0-9]{2})([0-9]{2}))/)
    else { return nil }
    let (digits, sign) = (time.1, time.2)
    let isComplete = digits.count == (isShort ? 12 : 14)
    guard isComplete || (isShort && digits.count == 10 && sign == nil) else { return nil }
    var pairs = stride(from: 0, to: digits.count, by: 2).compactMap {
      Int(digits.dropFirst($0).prefix(2))
    }
    let first = pairs.removeFirst()
    // A UTC time has years from 1970 to 2049 (RFC 5280, section 4.1.2.5.1, begins in 1950).
    let year = isShort ? first + (first < 50 ? 2000 : 1900) : first * 100 + pairs.removeFirst()
    if pairs.count == 4 { pairs.append(0) }
    let seconds = pairs[4]
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(
      calendar: calendar, year: year, month: pairs[0], day: pairs[1], hour: pairs[2],
      minute: pairs[3],
      second: min(seconds, 59))
    guard seconds <= 60, components.isValidDate, let date = calendar.date(from: components) else {
      return nil
    }
    let offset = 60 * (60 * (time.3.flatMap { Int($0) } ?? 0) + (time.4.flatMap { Int($0) } ?? 0))
    return date + Double(seconds == 60 ? 1 : 0) - Double(sign == "-" ? -offset : offset)
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
