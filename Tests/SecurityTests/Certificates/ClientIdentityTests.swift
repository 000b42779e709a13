import Foundation
import Security
import Testing

/// A client's identity from a PKCS #12 file, used as apps use it for mutual TLS.
@Suite struct ClientIdentityTests {
  private func identity() throws -> SecIdentity {
    var items: CFArray?
    let options: [String: Any] = [kSecImportExportPassphrase as String: "öffnen"]
    let file = try Fixture.data("leaf-sha256.p12") as CFData
    #expect(SecPKCS12Import(file, options as CFDictionary, &items) == errSecSuccess)
    // As apps write it.
    let all = items as! [[String: Any]]
    return all[0][kSecImportItemIdentity as String] as! SecIdentity
  }

  private func check(_ identity: SecIdentity) throws {
    var certificate: SecCertificate?
    #expect(SecIdentityCopyCertificate(identity, &certificate) == errSecSuccess)
    var key: SecKey?
    #expect(SecIdentityCopyPrivateKey(identity, &key) == errSecSuccess)
    let privateKey = try #require(key)
    let own = try #require(certificate)
    let publicKey = try #require(SecCertificateCopyKey(own))
    let message = Data("handshake".utf8) as CFData
    let algorithm = SecKeyAlgorithm.ecdsaSignatureMessageX962SHA256
    var error: Unmanaged<CFError>?
    let made = SecKeyCreateSignature(privateKey, algorithm, message, &error)
    let signature = try #require(made)
    #expect(SecKeyVerifySignature(publicKey, algorithm, message, signature, &error))
  }

  @Test func itSignsFromMemory() throws { try check(try identity()) }

  @Test func itSignsFromTheKeychain() throws {
    try onDevice { device in
      let imported = try identity()
      let item: Request = [
        kSecValueRef: imported, kSecAttrLabel: "client",
        kSecAttrAccessible: kSecAttrAccessibleAfterFirstUnlockThisDeviceOnly,
      ]
      #expect(add(item) == errSecSuccess)
      let search: Request = [
        kSecClass: kSecClassIdentity, kSecAttrLabel: "client", kSecReturnRef: true,
      ]
      let found = try #require(find(search).result as? SecIdentity)
      #expect(found == imported)
      try check(found)
      device.lock()
      let again = try #require(find(search).result as? SecIdentity)
      try check(again)
      try device.unlock()
      #expect(delete([kSecClass: kSecClassIdentity, kSecAttrLabel: "client"]) == errSecSuccess)
      #expect(find(search).status == errSecItemNotFound)
    }
  }

  @Test func theImportStoresItIfAsked() throws {
    try onDevice { _ in
      var items: CFArray?
      let options: Request = [
        kSecImportExportPassphrase: "öffnen", kSecUseDataProtectionKeychain: true,
        kSecAttrAccessible: kSecAttrAccessibleWhenUnlocked,
      ]
      let file = try Fixture.data("leaf-sha256.p12") as CFData
      #expect(SecPKCS12Import(file, options as CFDictionary, &items) == errSecSuccess)
      let search: Request = [kSecClass: kSecClassIdentity, kSecReturnRef: true]
      let stored = try #require(find(search).result as? SecIdentity)
      try check(stored)
    }
  }
}
