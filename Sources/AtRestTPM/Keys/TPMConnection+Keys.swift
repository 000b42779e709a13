@_spi(Tools) import AtRestCrypto
import CAtRestTPM
import Crypto
import Foundation

extension TPMConnection {
  /// Makes a key in the TPM.
  ///
  /// The key has the attributes sign and decrypt and no fixed scheme (TPM 2.0 Library, part 3,
  /// sections 20.2 and 14.5, allow both uses for an unrestricted key).
  ///
  /// - Parameter authorization: 32 bytes that each use needs, or nil. Wrong values count in the TPM's
  ///   dictionary-attack protection.
  package func createKey(authorization: borrowing SecretBytes? = nil) throws -> TPMKey {
    try Self.checkAuthorization(authorization)
    let template = TPMPublic.keyTemplate(isProtected: authorization != nil)
    return try TPMKey(
      try create(template, sealing: nil, authorization: authorization, policy: nil))
  }

  /// Signs a digest with ECDSA on P-256, and returns r and s, 32 bytes each.
  ///
  /// ECDSA uses the leftmost 32 bytes of a longer digest (SHA-384, SHA-512), and takes a shorter one
  /// (SHA-1, SHA-224) for a number (FIPS 186-5, section 6.4.1). The TPM gets these 32 bytes under the
  /// scheme SHA-256, so the signature is valid for the full digest, whatever hashes the TPM has.
  ///
  /// - Parameter digest: 20 to 64 bytes.
  package func signature(
    of digest: some DataProtocol, with key: TPMKey, authorization: borrowing SecretBytes? = nil
  ) throws -> Data {
    guard (20...64).contains(digest.count) else {
      throw AtRestError.invalid(
        "A digest to sign has 20 to 64 bytes, not \(digest.count).",
        remedy: "Hash the message with SHA-256.")
    }
    let leftmost = Array(digest.prefix(32))
    var input = ByteWriter()
    input.sized([UInt8](repeating: 0, count: 32 - leftmost.count) + leftmost)
    var scheme = ByteWriter()
    scheme.integer(TPMConstants.ecdsa)
    scheme.integer(TPMConstants.sha256)
    var ticket = ByteWriter()
    ticket.integer(TPMConstants.hashTicketTag)
    ticket.integer(TPMConstants.nullHierarchy)
    ticket.sized([])
    let structures: [TSS.Structure] = [
      .init(\.read_digest, input.bytes), .init(\.read_signature_scheme, scheme.bytes),
      .init(\.read_hash_ticket, ticket.bytes),
    ]
    let none = TPMConstants.libraryNone
    let wire = try using(key.object, authorization: authorization, .decrypt) { handle, session in
      var signature: UnsafeMutableRawPointer?
      try tss.withStructures(structures) { inputs in
        try run("Sign") {
          functions.sign(
            context, handle, session, none, none, inputs[0], inputs[1], inputs[2], &signature)
        }
      }
      return try tss.wire(of: signature, \.write_signature)
    }
    // TPMT_SIGNATURE: the algorithm, the hash, and two numbers with their counts.
    return try wire.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The TPM's signature")
      _ = try reader.integer(UInt32.self)
      return try paddedNumber(&reader) + paddedNumber(&reader)
    }
  }

  /// Returns the shared secret with another party's public key: the x coordinate of the common
  /// point, 32 bytes (ECDH, SP 800-56A, section 5.7.1.2).
  ///
  /// - Parameter publicKey: The other key in X9.63 form, 65 bytes.
  /// - Throws: ``AtRestError/Code/invalidArgument`` if it is not a point of P-256, and the errors of
  ///   ``unseal(_:authorization:)``.
  package func sharedSecret(
    with publicKey: Data, using key: TPMKey, authorization: borrowing SecretBytes? = nil
  ) throws -> SecretBytes {
    let isPoint =
      publicKey.count == 65
      && (try? P256.KeyAgreement.PublicKey(x963Representation: publicKey)) != nil
    guard isPoint else {
      throw AtRestError.invalid(
        "The other party's key is not a P-256 public key in X9.63 form.",
        remedy: "Pass 65 bytes: 0x04, x and y.")
    }
    let coordinates = [UInt8](publicKey.dropFirst())
    var point = ByteWriter()
    point.sized(Array(coordinates.prefix(32)))
    point.sized(Array(coordinates.suffix(32)))
    var input = ByteWriter()
    input.sized(point.bytes)
    let structure = TSS.Structure(\.read_point, input.bytes)
    let none = TPMConstants.libraryNone
    // TPM2B_ECC_POINT without its count: x and y, each with its count.
    let result = try using(
      key.object, authorization: authorization, [.decrypt, .encrypt]
    ) { handle, session in
      var output: UnsafeMutableRawPointer?
      try tss.withStructures([structure]) { inputs in
        try run("ECDH_ZGen") {
          functions.agree(context, handle, session, none, none, inputs[0], &output)
        }
      }
      return try tss.secret(of: output, \.write_point)
    }
    return try result.withUnsafeBytes { bytes in
      var reader = ByteReader(bytes, name: "The TPM's shared secret")
      let x = try reader.fixed(Int(try reader.integer(UInt16.self)))
      guard (1...32).contains(x.count) else {
        throw AtRestError.damaged("The TPM's shared secret has \(x.count) bytes.")
      }
      return SecretBytes(count: 32) { secret in
        UnsafeMutableRawBufferPointer(rebasing: secret[(32 - x.count)...]).copyMemory(from: x)
      }
    }
  }

  /// Reads a number with its 16-bit count, and pads it to 32 bytes.
  private func paddedNumber(_ reader: inout ByteReader) throws -> Data {
    let number = try reader.fixed(Int(try reader.integer(UInt16.self)))
    guard number.count <= 32 else {
      throw AtRestError.damaged("A number of the TPM's signature has \(number.count) bytes.")
    }
    return Data(count: 32 - number.count) + Data(number)
  }
}
