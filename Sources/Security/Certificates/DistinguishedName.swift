import Foundation
import SwiftASN1

/// A distinguished name (X.501) of a certificate.
struct DistinguishedName: Sendable, Equatable {
  struct Part: Sendable, Equatable {
    let type: ASN1ObjectIdentifier
    /// The value as text, or nil if it is not a readable string.
    let text: String?
  }

  /// The parts of all sets, in the order in which the certificate lists them.
  let parts: [Part]
  /// The content of the sequence, without a header, in the form in which keychains compare names.
  ///
  /// Printable strings are in upper case, without white space around them and with single spaces
  /// inside.
  let normalized: Data

  init?(_ node: ASN1Node) {
    guard let sets = node.children(.sequence) else { return nil }
    var parts: [Part] = []
    var serializer = DER.Serializer()
    for set in sets {
      guard let pairs = set.children(.set), !pairs.isEmpty else { return nil }
      for pair in pairs {
        guard let pair = pair.children(.sequence), pair.count == 2,
          let type = pair[0].objectIdentifier
        else { return nil }
        parts.append(Part(type: type, text: pair[1].text))
      }
      serializer.appendConstructedNode(identifier: .set) { set in
        for pair in pairs { Self.append(pair, to: &set) }
      }
    }
    self.parts = parts
    normalized = Data(serializer.serializedBytes)
  }

  /// Reads a name from DER. Returns nil if the bytes are not a name.
  init?(der: Data) {
    guard let node = try? DER.parse(Array(der)) else { return nil }
    self.init(node)
  }

  private static func append(_ pair: ASN1Node, to set: inout DER.Serializer) {
    set.appendConstructedNode(identifier: .sequence) { serializer in
      for node in pair.children ?? [] {
        guard node.identifier == .printableString, let bytes = node.primitive else {
          serializer.serializeRawBytes(node.encodedBytes)
          continue
        }
        let words = bytes.split { $0 == 0x20 || $0 == 0x09 }
        let folded = words.joined(separator: [0x20]).map { byte in
          (0x61...0x7A).contains(byte) ? byte - 0x20 : byte
        }
        serializer.appendPrimitiveNode(identifier: .printableString) {
          $0.append(contentsOf: folded)
        }
      }
    }
  }

  /// The whole sequence: ``normalized`` with a header.
  var normalizedSequence: Data {
    var serializer = DER.Serializer()
    serializer.appendConstructedNode(identifier: .sequence) {
      $0.serializeRawBytes(normalized)
    }
    return Data(serializer.serializedBytes)
  }

  func texts(_ type: ASN1ObjectIdentifier) -> [String] {
    parts.compactMap { $0.type == type ? $0.text : nil }
  }

  /// A short form of the name for display.
  ///
  /// The short form consists of the common names, followed by the description in parentheses. If
  /// there is no common name, it consists of the organizational units, or else of the
  /// organizations, or else of all readable parts. The parts are in reverse order. The text is nil
  /// if no part is readable.
  var summary: (text: String?, isCommonName: Bool) {
    func rank(_ part: Part) -> Int {
      switch part.type {
      case .commonName: 4
      case .organizationalUnit: 3
      case .organization: 2
      default: 1
      }
    }
    let readable = parts.filter { $0.text != nil }
    let best = readable.map(rank).max() ?? 0
    let text = readable.filter { rank($0) == best }.reversed().compactMap(\.text)
      .joined(separator: ", ")
    guard best > 0 else { return (nil, false) }
    let description = texts(.nameDescription).reversed().joined(separator: ", ")
    return best == 4 && !description.isEmpty
      ? ("\(text) (\(description))", true) : (text, best == 4)
  }
}

extension ASN1ObjectIdentifier {
  static let commonName: ASN1ObjectIdentifier = [2, 5, 4, 3]
  static let organization: ASN1ObjectIdentifier = [2, 5, 4, 10]
  static let organizationalUnit: ASN1ObjectIdentifier = [2, 5, 4, 11]
  static let nameDescription: ASN1ObjectIdentifier = [2, 5, 4, 13]
  static let emailAddress: ASN1ObjectIdentifier = [1, 2, 840, 113549, 1, 9, 1]
  static let subjectKeyIdentifier: ASN1ObjectIdentifier = [2, 5, 29, 14]
  static let subjectAlternativeName: ASN1ObjectIdentifier = [2, 5, 29, 17]
}
