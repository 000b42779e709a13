@_spi(Tools) import AtRestCrypto
import Foundation
import SwiftASN1

extension TPMKey {
  private static let label = "TSS2 PRIVATE KEY"
  /// id-loadablekey: 2.23.133.10.1.3.
  private static let loadableKey: ASN1ObjectIdentifier = [2, 23, 133, 10, 1, 3]
  /// A key in PEM has about 400 bytes.
  private static let pemLimit = 4096

  /// The key in the PEM form of draft-bottomley-tpm2-keys, which OpenSSL's TPM provider and others
  /// read: `TSS2 PRIVATE KEY`. The parent is the owner hierarchy (0x40000001), under which readers
  /// create the same primary key as AtRest.
  ///
  /// Other programs ask for a password as the authorization value, and cannot enter 32 random bytes:
  /// only keys without one work there.
  package var pem: String {
    get throws {
      var serializer = DER.Serializer()
      try serializer.appendConstructedNode(identifier: .sequence) { sequence in
        try sequence.serialize(Self.loadableKey)
        // emptyAuth
        try sequence.serialize(
          !isProtected, explicitlyTaggedWithTagNumber: 0, tagClass: .contextSpecific)
        try sequence.serialize(Int64(TPMConstants.ownerHierarchy))
        try sequence.serialize(ASN1OctetString(contentBytes: object.publicArea[...]))
        try sequence.serialize(ASN1OctetString(contentBytes: object.privateArea[...]))
      }
      return PEMDocument(type: Self.label, derBytes: serializer.serializedBytes).pemString + "\n"
    }
  }

  /// Reads a key that ``pem`` wrote, or that another program made with the same template and parent.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if the text is not such a key;
  ///   ``AtRestError/Code/invalidArgument`` if it has another parent or a policy.
  package init(pem: String) throws {
    guard pem.utf8.count <= Self.pemLimit else {
      throw AtRestError.damaged("The TPM key in PEM has more than \(Self.pemLimit) bytes.")
    }
    let parts: (publicArea: [UInt8], privateArea: [UInt8], parent: Int64, emptyAuth: Bool)
    do {
      let document = try PEMDocument(pemString: pem)
      guard document.discriminator == Self.label else {
        throw AtRestError.damaged("The PEM is not a TSS2 PRIVATE KEY.")
      }
      parts = try DER.sequence(try DER.parse(document.derBytes), identifier: .sequence) { nodes in
        guard try ASN1ObjectIdentifier(derEncoded: &nodes) == Self.loadableKey else {
          throw AtRestError.damaged("The TPM key in PEM is not a loadable key.")
        }
        let emptyAuth = try DER.optionalExplicitlyTagged(
          &nodes, tagNumber: 0, tagClass: .contextSpecific
        ) { try Bool(derEncoded: $0) }
        for number in 1...4 as ClosedRange<UInt> {
          let other = try DER.optionalExplicitlyTagged(
            &nodes, tagNumber: number, tagClass: .contextSpecific
          ) { _ in true }
          guard other == nil else {
            throw AtRestError.invalid(
              "The TPM key in PEM has a policy, a secret or a description.",
              remedy: "Use a key without them.")
          }
        }
        let parent = try Int64(derEncoded: &nodes)
        let publicArea = try ASN1OctetString(derEncoded: &nodes)
        let privateArea = try ASN1OctetString(derEncoded: &nodes)
        return (
          Array(publicArea.bytes), Array(privateArea.bytes), parent, emptyAuth ?? false
        )
      }
    } catch let error as AtRestError {
      throw error
    } catch {
      throw AtRestError(
        .damaged, "The TPM key in PEM is malformed.", remedy: "Restore it from a backup.",
        cause: error)
    }
    guard parts.parent == Int64(TPMConstants.ownerHierarchy) else {
      throw AtRestError.invalid(
        "The TPM key in PEM has the parent 0x\(String(parts.parent, radix: 16)).",
        remedy: "Use a key under the owner hierarchy, 0x40000001.")
    }
    var encoded = ByteWriter(capacity: 512)
    encoded.integer(UInt8(1))
    encoded.integer(UInt32(0))
    encoded.fixed(parts.publicArea)
    encoded.fixed(parts.privateArea)
    // Decoding checks the counts of both areas.
    try self.init(TPMObject(encoded.data))
    guard isProtected != parts.emptyAuth else {
      throw AtRestError.damaged("The TPM key in PEM contradicts its own authorization.")
    }
  }
}
