import AtRestCrypto
import AtRestTPM
import Crypto
import Foundation
import Testing

/// Keys in the TSS2 PEM form work in OpenSSL's TPM provider, and are read strictly.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct PEMTests {
  private static let hasProvider =
    SoftwareTPM.isProgram("openssl")
    && ((try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []).contains {
      FileManager.default.fileExists(atPath: "/usr/lib/\($0)/ossl-modules/tpm2.so")
    }

  @Test func theKeyComesBack() throws {
    let device = try SoftwareTPM()
    let keys = try device.tpm().perform {
      [try $0.createKey(), try $0.createKey(authorization: value(1))]
    }
    for key in keys {
      let pem = try key.pem
      #expect(pem.hasPrefix("-----BEGIN TSS2 PRIVATE KEY-----\n"))
      #expect(try TPMKey(pem: pem) == key)
    }
  }

  @Test(.enabled(if: hasProvider, "tpm2-openssl is not installed"))
  func openSSLSignsWithOurKey() throws {
    let device = try SoftwareTPM()
    let key = try device.tpm().perform { try $0.createKey() }
    let digest = SHA256.hash(data: Data("a message".utf8))
    try Data(try key.pem.utf8).write(to: device.file("key.pem"))
    try Data(digest).write(to: device.file("digest"))
    try device.tool(
      "openssl", "pkeyutl", "-provider", "tpm2", "-provider", "default", "-sign", "-inkey",
      "key.pem", "-in", "digest", "-out", "signature", "-rawin", "-digest", "sha256")
    let publicKey = try P256.Signing.PublicKey(x963Representation: key.publicKey)
    let signature = try P256.Signing.ECDSASignature(
      derRepresentation: Data(contentsOf: device.file("signature")))
    // With -rawin, OpenSSL hashes the file.
    #expect(publicKey.isValidSignature(signature, for: SHA256.hash(data: Data(digest))))

    try device.tool(
      "openssl", "pkey", "-provider", "tpm2", "-provider", "default", "-in", "key.pem", "-pubout",
      "-out", "public.pem")
    let theirs = try P256.Signing.PublicKey(
      pemRepresentation: String(contentsOf: device.file("public.pem"), encoding: .utf8))
    #expect(theirs.x963Representation == key.publicKey)
  }

  @Test(.enabled(if: hasProvider, "tpm2-openssl is not installed"))
  func openSSLVerifiesOurSignature() throws {
    let device = try SoftwareTPM()
    let key = try device.tpm().perform { try $0.createKey() }
    let message = Data("a message".utf8)
    let raw = try device.tpm().perform {
      try $0.signature(of: Data(SHA256.hash(data: message)), with: key)
    }
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: raw)
    let publicKey = try P256.Signing.PublicKey(x963Representation: key.publicKey)
    try Data(publicKey.pemRepresentation.utf8).write(to: device.file("public.pem"))
    try signature.derRepresentation.write(to: device.file("signature"))
    try message.write(to: device.file("message"))
    let verify = [
      "dgst", "-sha256", "-verify", "public.pem", "-signature", "signature", "message",
    ]
    #expect(try device.tool("openssl", verify).contains("Verified OK"))
    try Data("another".utf8).write(to: device.file("message"))
    #expect(throws: ToolFailure.self) { try device.tool("openssl", verify) }
  }

  @Test func malformedTextIsRefused() throws {
    let device = try SoftwareTPM()
    let pem = try device.tpm().perform { try $0.createKey() }.pem
    let lines = pem.split(separator: "\n")
    let texts = [
      "", "text", String(pem.prefix(pem.count / 2)),
      pem.replacingOccurrences(of: "TSS2", with: "EC"),
      pem + String(repeating: " ", count: 5000),
      ([lines[0]] + lines[2...]).joined(separator: "\n"),
    ]
    for text in texts { #expect(refusal { try TPMKey(pem: text) }?.code == .damaged) }
    // Each byte of the DER changed: another key of the same form, or an error.
    let der = Data(base64Encoded: lines[1..<(lines.count - 1)].joined())!
    for index in der.indices {
      var changed = der
      changed[index] ^= 0x41
      let text = """
        -----BEGIN TSS2 PRIVATE KEY-----
        \(changed.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]))
        -----END TSS2 PRIVATE KEY-----
        """
      let code = refusal { try TPMKey(pem: text) }?.code
      #expect(code == nil || code == .damaged || code == .invalidArgument)
    }
  }
}
