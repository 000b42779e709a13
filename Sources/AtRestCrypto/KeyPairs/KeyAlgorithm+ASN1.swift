/// The ASN.1 identifiers of the algorithms in key formats: RFC 5480, RFC 8410, RFC 8017.
extension KeyAlgorithm {
  private static let rsaEncryption: [UInt8] = [
    0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01,
  ]
  private static let ecPublicKey: [UInt8] = [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01]
  private static let curveNames: [(algorithm: KeyAlgorithm, name: [UInt8])] = [
    (.p256, [0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07]),
    (.p384, [0x2B, 0x81, 0x04, 0x00, 0x22]),
    (.p521, [0x2B, 0x81, 0x04, 0x00, 0x23]),
  ]

  /// The algorithm that an `AlgorithmIdentifier` names.
  enum Identified {
    case algorithm(KeyAlgorithm)
    /// RSA. Only the key itself shows its size.
    case rsa
  }

  /// The `AlgorithmIdentifier` of SubjectPublicKeyInfo and PKCS#8.
  var algorithmIdentifier: [UInt8] {
    let content =
      switch family {
      case .p256, .p384, .p521:
        DER.element(DER.objectIdentifier, Self.ecPublicKey)
          + DER.element(
            DER.objectIdentifier, Self.curveNames.first { $0.algorithm == self }?.name ?? [])
      case .ed25519: DER.element(DER.objectIdentifier, [0x2B, 0x65, 0x70])
      case .x25519: DER.element(DER.objectIdentifier, [0x2B, 0x65, 0x6E])
      case .rsa:
        DER.element(DER.objectIdentifier, Self.rsaEncryption) + DER.element(DER.null, [])
      }
    return DER.element(DER.sequence, content)
  }

  /// Reads the content of an `AlgorithmIdentifier`.
  static func identified(by reader: consuming DERReader) throws -> Identified {
    let name = try reader.read(DER.objectIdentifier)
    let identified: Identified
    if name.elementsEqual(ecPublicKey) {
      // Explicit curve parameters, a SEQUENCE, are refused: CVE-2020-0601 used forged ones.
      guard reader.tag == DER.objectIdentifier else {
        throw DERError("its curve is not given by name")
      }
      identified = .algorithm(try curve(named: try reader.read(DER.objectIdentifier)))
    } else if name.elementsEqual([0x2B, 0x65, 0x70]) {
      identified = .algorithm(.ed25519)
    } else if name.elementsEqual([0x2B, 0x65, 0x6E]) {
      identified = .algorithm(.x25519)
    } else if name.elementsEqual(rsaEncryption) {
      guard try reader.read(DER.null).isEmpty else { throw DERError("it has another structure") }
      identified = .rsa
    } else {
      throw DERError("its algorithm is not one of P-256, P-384, P-521, Ed25519, X25519 and RSA")
    }
    try reader.finish()
    return identified
  }

  static func curve(named name: UnsafeRawBufferPointer) throws -> KeyAlgorithm {
    guard let curve = curveNames.first(where: { name.elementsEqual($0.name) }) else {
      throw DERError("its curve is not P-256, P-384 or P-521")
    }
    return curve.algorithm
  }
}
