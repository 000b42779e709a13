import AtRestCrypto
import AtRestTPM
import Crypto
import Foundation
import Testing

/// A key in the TPM signs and agrees as a P-256 key in software does.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct KeyTests {
  private let message = Data("a message".utf8)

  @Test func signaturesOfEachDigestVerify() throws {
    let device = try SoftwareTPM()
    let key = try device.tpm().perform { try $0.createKey() }
    let stored = try TPMKey(TPMObject(key.object.data))
    #expect(stored == key && !key.isProtected)
    let publicKey = try P256.Signing.PublicKey(x963Representation: key.publicKey)

    func signature(_ digest: some Digest) throws -> P256.Signing.ECDSASignature {
      let raw = try device.tpm().perform {
        try $0.signature(of: Data(digest), with: stored)
      }
      #expect(raw.count == 64)
      return try P256.Signing.ECDSASignature(rawRepresentation: raw)
    }
    let sha256 = SHA256.hash(data: message)
    let sha384 = SHA384.hash(data: message)
    let sha512 = SHA512.hash(data: message)
    let sha1 = Insecure.SHA1.hash(data: message)
    #expect(publicKey.isValidSignature(try signature(sha256), for: sha256))
    #expect(publicKey.isValidSignature(try signature(sha384), for: sha384))
    #expect(publicKey.isValidSignature(try signature(sha512), for: sha512))
    #expect(publicKey.isValidSignature(try signature(sha1), for: sha1))
    // Control: another digest.
    #expect(!publicKey.isValidSignature(try signature(sha256), for: SHA256.hash(data: Data())))
  }

  @Test func bothSidesAgreeOnASecret() throws {
    let device = try SoftwareTPM()
    let key = try device.tpm().perform { try $0.createKey() }
    let publicKey = try P256.KeyAgreement.PublicKey(x963Representation: key.publicKey)
    for _ in 0..<3 {
      let other = P256.KeyAgreement.PrivateKey()
      let mine = try device.tpm().perform {
        try $0.sharedSecret(with: other.publicKey.x963Representation, using: key)
      }
      let theirs = try other.sharedSecretFromKeyAgreement(with: publicKey)
      #expect(Data(copying: mine) == theirs.withUnsafeBytes { Data($0) })
    }
    var point = key.publicKey
    point[64] ^= 1
    let error = refusal {
      try device.tpm().perform { try $0.sharedSecret(with: point, using: key) }
    }
    #expect(error?.code == .invalidArgument)
  }

  @Test func aProtectedKeyNeedsItsAuthorization() throws {
    let device = try SoftwareTPM()
    let tpm = device.tpm()
    let key = try tpm.perform { try $0.createKey(authorization: value(1)) }
    #expect(key.isProtected)
    let digest = SHA256.hash(data: message)
    let signature = try tpm.perform {
      try $0.signature(of: Data(digest), with: key, authorization: value(1))
    }
    let publicKey = try P256.Signing.PublicKey(x963Representation: key.publicKey)
    #expect(
      publicKey.isValidSignature(
        try P256.Signing.ECDSASignature(rawRepresentation: signature), for: digest))
    let error = refusal {
      try tpm.perform {
        try $0.signature(of: Data(digest), with: key, authorization: value(2))
      }
    }
    #expect(error?.code == .authenticationFailed)
    #expect(try tpm.perform { try $0.state() }.wrongAttempts == 1)
  }

  @Test func aSealedObjectIsNoKey() throws {
    let device = try SoftwareTPM()
    let object = try device.tpm().perform { try $0.seal(value(1)) }
    #expect(refusal { try TPMKey(object) }?.code == .damaged)
  }
}
