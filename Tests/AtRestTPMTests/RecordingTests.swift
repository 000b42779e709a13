import AtRestCrypto
import AtRestTPM
import Crypto
import Foundation
import Testing

/// Nobody who records all bytes between the library and the TPM learns a secret from them.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct RecordingTests {
  @Test func neitherSecretsNorAuthorizationsPassInTheClear() throws {
    let device = try SoftwareTPM()
    let proxy = TPMProxy(to: device)
    let tpm = TPM(transport: proxy.transport)
    let secret = value(1)
    let authorization = value(2)
    let replacement = value(3)
    let counterAuthorization = value(4)
    let other = P256.KeyAgreement.PrivateKey()
    let policy = try TPMPolicy(pcrs: [7])
    let (key, shared) = try tpm.perform { connection in
      let object = try connection.seal(secret, authorization: authorization.duplicate())
      _ = try connection.unseal(object, authorization: authorization.duplicate())
      _ = refusal { try connection.unseal(object, authorization: value(5)) }
      let changed = try connection.changeAuthorization(
        of: object, from: authorization, to: replacement)
      _ = try connection.unseal(changed, authorization: replacement.duplicate())
      let tied = try connection.seal(
        secret, authorization: authorization.duplicate(), policy: policy)
      _ = try connection.unseal(tied, authorization: authorization.duplicate())
      let (counter, _) = try connection.defineCounter(authorization: counterAuthorization)
      try connection.increment(counter, authorization: counterAuthorization)
      let key = try connection.createKey(authorization: authorization.duplicate())
      let shared = try connection.sharedSecret(
        with: other.publicKey.x963Representation, using: key,
        authorization: authorization.duplicate())
      return (key, Data(copying: shared))
    }
    let recorded = proxy.recorded
    let secrets = [
      Data(copying: secret), Data(copying: authorization), Data(copying: replacement),
      Data(copying: counterAuthorization), Data(copying: value(5)), shared,
    ]
    for (index, secret) in secrets.enumerated() {
      #expect(recorded.range(of: secret) == nil, "secret \(index)")
      #expect(recorded.range(of: secret.prefix(8)) == nil, "the start of secret \(index)")
      #expect(recorded.range(of: Data(SHA256.hash(data: secret))) == nil)
    }
    // Controls: the search finds what passes in the clear. The public key is sent when the key is
    // loaded, and tpm2_unseal without a session receives the secret as it is.
    #expect(recorded.range(of: key.publicKey.dropFirst().prefix(32)) != nil)
  }

  @Test func withoutAnEncryptedSessionTheSecretIsSeen() throws {
    let device = try SoftwareTPM()
    let proxy = TPMProxy(to: device)
    try Data(copying: value(1)).write(to: device.file("secret"))
    try device.tool("tpm2_createprimary", "-C", "o", "-c", "p.ctx", "-T", proxy.transport)
    try device.tool("tpm2_flushcontext", "--transient-object")
    try device.tool(
      "tpm2_create", "-C", "p.ctx", "-i", "secret", "-u", "k.pub", "-r", "k.priv", "-T",
      proxy.transport)
    #expect(proxy.recorded.range(of: Data(copying: value(1))) != nil)
  }
}
