import Foundation
import SwiftASN1

/// The algorithm of a certificate's signature and the size of its RSA key. Certificates whose keys or algorithms
/// swift-certificates does not support are read too.
struct CertificateOutline {
  let signature: ASN1ObjectIdentifier
  /// nil for a key that is not for RSA.
  let bitsOfRSA: Int?

  /// Reads a certificate.
  ///
  /// - Throws: The errors of SwiftASN1.
  init(_ der: Data) throws {
    let parts = try Self.parts(of: DER.parse(Array(der)))
    guard parts.count == 3 else { throw Malformed() }
    var fields = try Self.parts(of: parts[0])[...]
    // The version can be left out.
    if let first = fields.first, first.identifier.tagClass == .contextSpecific {
      fields.removeFirst()
    }
    // The number, the algorithm, the issuer, the validity and the subject come first.
    guard let key = fields.dropFirst(5).first, let algorithm = try Self.parts(of: parts[1]).first
    else { throw Malformed() }
    signature = try ASN1ObjectIdentifier(derEncoded: algorithm)
    bitsOfRSA = try Self.bitsOfRSA(key)
  }

  private struct Malformed: Error {}

  private static func parts(of node: ASN1Node) throws -> [ASN1Node] {
    guard case .constructed(let nodes) = node.content else { throw Malformed() }
    return Array(nodes)
  }

  private static func bitsOfRSA(_ key: ASN1Node) throws -> Int? {
    let parts = try parts(of: key)
    guard parts.count == 2, let algorithm = try Self.parts(of: parts[0]).first,
      try ASN1ObjectIdentifier(derEncoded: algorithm) == [1, 2, 840, 113549, 1, 1, 1]
    else { return nil }
    let numbers = try DER.parse(ASN1BitString(derEncoded: parts[1]).bytes)
    guard let modulus = try Self.parts(of: numbers).first,
      case .primitive(let bytes) = modulus.content
    else { throw Malformed() }
    let digits = bytes.drop { $0 == 0 }
    return digits.count * 8 - (digits.first?.leadingZeroBitCount ?? 0)
  }
}

extension ASN1ObjectIdentifier {
  /// True for a signature over a hash of MD2, MD4 or MD5.
  var hasWeakHash: Bool {
    let weak: [ASN1ObjectIdentifier] = [
      [1, 2, 840, 113549, 1, 1, 2], [1, 2, 840, 113549, 1, 1, 3], [1, 2, 840, 113549, 1, 1, 4],
    ]
    return weak.contains(self)
  }
}
