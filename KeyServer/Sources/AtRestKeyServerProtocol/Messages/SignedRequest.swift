import AtRestCrypto
import Crypto
import Foundation

/// The text that a device signs to authenticate a request, and the headers that carry the signature.
///
/// The signature covers the realm, the device, a sequence number, the path and the body. The server
/// accepts each device's sequence numbers only in rising order and stores the last one durably, so
/// a request cannot be replayed, not even at another server of the same database. A refusal of a number names
/// the last one, so that a device goes on from there, whatever its clock says.
package struct SignedRequest: Sendable {
  /// The header with the device's identity in hexadecimal.
  package static let deviceHeader = "atrest-device"
  /// The header with the sequence number in decimal.
  package static let sequenceHeader = "atrest-sequence"
  /// The header with the signature, 64 bytes in hexadecimal.
  package static let signatureHeader = "atrest-signature"
  /// The device and the realm in the signature of an enrolment, which gives both.
  package static let unknown = Data(count: Limits.identifier)

  /// The largest number that is accepted. No device comes near it.
  package static let maximumSequence = UInt64(1) << 62

  package var realm: Data
  package var device: Data
  package var sequence: UInt64
  package var path: String
  package var body: Data

  package init(realm: Data, device: Data, sequence: UInt64, path: String, body: Data) {
    self.realm = realm
    self.device = device
    self.sequence = sequence
    self.path = path
    self.body = body
  }

  /// The bytes that are signed with ECDSA over P-256 and SHA-256.
  package var signedBytes: Data {
    var writer = MessageWriter()
    writer.counted(utf8: "atrest.keyserver.request.v1")
    writer.fixed(realm)
    writer.fixed(device)
    writer.integer(sequence)
    writer.counted(utf8: path)
    writer.fixed(Data(SHA256.hash(data: body)))
    return writer.data
  }

  /// Returns true if a raw signature (64 bytes) is right.
  package func isValid(_ signature: Data, publicKey: Data) -> Bool {
    guard let key = try? P256.Signing.PublicKey(x963Representation: publicKey),
      let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature)
    else { return false }
    return key.isValidSignature(signature, for: signedBytes)
  }
}
