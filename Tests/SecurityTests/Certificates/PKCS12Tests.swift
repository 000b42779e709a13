import Foundation
import Security
import Testing

@Suite struct PKCS12Tests {
  private func read(_ data: Data, _ password: Any?, _ more: [CFString: Any] = [:])
    -> (items: [[String: Any]]?, status: OSStatus)
  {
    var options = more
    options[kSecImportExportPassphrase] = password
    var items: CFArray?
    let status = SecPKCS12Import(data as CFData, options as CFDictionary, &items)
    return (items as? [[String: Any]], status)
  }

  private func certificate(_ name: String) throws -> SecCertificate? {
    SecCertificateCreateWithData(nil, try Fixture.data("\(name).cer") as CFData)
  }

  private func trust(_ item: [String: Any]) throws -> SecTrust {
    try #require(item[kSecImportItemTrust as String] as? SecTrust)
  }

  @Test(arguments: ["leaf-sha1", "leaf-sha256", "leaf-sha384", "leaf-sha512"])
  func identitiesAreRead(name: String) throws {
    let (items, status) = read(try Fixture.data("\(name).p12"), "öffnen")
    #expect(status == 0)
    let item = try #require(items?.first)
    #expect(items?.count == 1)
    let identity = try #require(item[kSecImportItemIdentity as String] as? SecIdentity)
    var found: SecCertificate?
    #expect(SecIdentityCopyCertificate(identity, &found) == 0)
    #expect(found == (try certificate("leaf")))
    var key: SecKey?
    #expect(SecIdentityCopyPrivateKey(identity, &key) == 0)
    #expect(key == (try Fixture.key("p256")))
    #expect(item[kSecImportItemLabel as String] as? String == "A leaf")
    #expect((item[kSecImportItemKeyID as String] as? Data)?.count == 20)
    let chain = item[kSecImportItemCertChain as String] as? [SecCertificate]
    #expect(chain == [try certificate("leaf"), try certificate("root")].compactMap { $0 })
    #expect(SecTrustCopyCertificateChain(try trust(item)) as? [SecCertificate] == chain)
  }

  @Test func anotherPasswordIsRefusedAndNothingGiven() throws {
    let file = try Fixture.data("leaf-sha256.p12")
    for password in ["offnen", "", "öffnen ", nil] as [String?] {
      let (items, status) = read(file, password)
      #expect(status == -25293)
      #expect(items == nil)
    }
  }

  @Test func anEmptyPasswordAndNoneAreTheSame() throws {
    let file = try Fixture.data("empty-password.p12")
    for password in ["", nil] as [String?] {
      let (items, status) = read(file, password)
      #expect(status == 0)
      #expect(items?.first?[kSecImportItemLabel as String] as? String == "only@example.com")
    }
  }

  @Test func certificatesAloneAreNoItems() throws {
    let (items, status) = read(try Fixture.data("certificates.p12"), "open")
    #expect(status == 0)
    #expect(items?.isEmpty == true)
  }

  @Test func whatIsNotEncryptedIsReadOnceItIsAuthentic() throws {
    let file = try Fixture.data("clear.p12")
    #expect(read(file, "open").items?.count == 1)
    #expect(read(file, "other").status == -25293)
    #expect(read(try Fixture.data("no-mac.p12"), "open").status == -26275)
  }

  private static let old = [
    ("legacy", "open"), ("old-3des", "öffnen"), ("old-rc", "open"), ("old-empty-password", ""),
    ("pbes2-3des", "open"),
  ]

  /// Keychain Access writes such files, and a phone opens them.
  @Test(.enabled(if: hasOldCiphers, "needs OpenSSL 3 with its legacy provider"), arguments: old)
  func oldCiphersAreReadByOpenSSL(name: String, password: String) throws {
    let (items, status) = read(try Fixture.data("\(name).p12"), password)
    #expect(status == 0)
    let identity = try #require(
      items?.first?[kSecImportItemIdentity as String] as? SecIdentity)
    var found: SecCertificate?
    #expect(SecIdentityCopyCertificate(identity, &found) == 0)
    #expect(found == (try certificate("leaf")))
    var key: SecKey?
    #expect(SecIdentityCopyPrivateKey(identity, &key) == 0)
    #expect(key == (try Fixture.key("p256")))
  }

  @Test(arguments: old)
  func thePasswordOfAnOldFileIsChecked(name: String, password: String) throws {
    #expect(read(try Fixture.data("\(name).p12"), password + "x").status == -25293)
  }

  /// The rounds of an old cipher are counted before OpenSSL gets the file.
  @Test func damageBehindAnOldCipherIsRefused() throws {
    let file = try Fixture.data("old-3des.p12")
    for index in stride(from: 0, to: file.count, by: 7) {
      #expect(read(file.flipped(at: index), "öffnen").items == nil)
    }
  }

  @Test func withoutTheProviderTheReasonIsTold() async throws {
    await #expect(processExitsWith: .success) {
      setenv("OPENSSL_MODULES", "/", 1)
      let tests = PKCS12Tests()
      try #require(tests.read(try Fixture.data("legacy.p12"), "open").status == -4)
      let reason = try #require(SecCopyFailureReasonString(-4)) as String
      try #require(reason.contains("RC2 with 40 bits"))
      try #require(reason.contains("provider legacy") && reason.contains("openssl pkcs12 -legacy"))
      try #require(tests.read(try Fixture.data("legacy.p12"), "other").status == -25293)
    }
  }

  /// True if the library and the provider are there.
  private static let hasOldCiphers = ["/usr/lib", "/usr/lib64"].contains { folder in
    let found = FileManager.default.enumerator(atPath: folder)
    return found?.contains { ($0 as? String)?.hasSuffix("ossl-modules/legacy.so") == true } == true
  }

  @Test func nothingIsStoredUnlessItIsAskedFor() throws {
    let file = try Fixture.data("leaf-sha256.p12")
    try onDevice { _ in
      let query: Request = [kSecClass: kSecClassCertificate, kSecAttrLabel: "Leaf"]
      #expect(read(file, "öffnen").status == 0)
      #expect(exists(query) == errSecItemNotFound)
      for _ in 0..<2 {
        #expect(read(file, "öffnen", [kSecUseDataProtectionKeychain: true]).status == 0)
        #expect(exists(query) == errSecSuccess)
      }
      let found = find([kSecClass: kSecClassIdentity, kSecReturnRef: true]).result
      let identity = try #require(found as? SecIdentity)
      var key: SecKey?
      SecIdentityCopyPrivateKey(identity, &key)
      #expect(key == (try Fixture.key("p256")))
    }
  }

  @Test func anIdentityIsOfACertificateAndItsOwnKey() throws {
    let leaf = try #require(try certificate("leaf"))
    let key = try Fixture.key("p256")
    #expect(SecIdentityCreate(nil, leaf, key) != nil)
    #expect(SecIdentityCreate(nil, leaf, try Fixture.key("p256-other")) == nil)
    #expect(SecIdentityCreate(nil, leaf, try Fixture.publicKey("p256")) == nil)
  }

  @Test func damageIsRefused() throws {
    let file = try Fixture.data("clear.p12")
    for count in stride(from: 0, to: file.count, by: 23) {
      #expect(read(file.prefix(count), "open").status != 0)
    }
    for index in stride(from: 0, to: file.count, by: 11) {
      #expect(read(file.flipped(at: index), "open").status != 0)
    }
    #expect(read(Data("no such file".utf8), "open").status == -26275)
    #expect(read(try Fixture.data("leaf.cer"), "open").status == -26275)
    // Nested sequences of indefinite length.
    let nested = Data((0..<100_000).map { $0 % 2 == 0 ? 0x30 : 0x80 })
    #expect(read(nested, "open").status == -26275)
  }

  /// The number of rounds of the authentication code is the last number of the file: 2048, in its last
  /// two bytes.
  @Test func aFileThatAsksForTooMuchWorkIsRefused() throws {
    var file = try Fixture.data("clear.p12")
    #expect(file.suffix(4) == Data([0x02, 0x02, 0x08, 0x00]))
    // Four bytes replace two, so each enclosing length grows by two.
    file = file.dropLast(4) + [0x02, 0x04, 0x7F, 0xFF, 0xFF, 0xFF]
    let start = file.startIndex
    file[start + 3] += 2
    let mac = try #require(file.lastRange(of: Data([0x30, 0x31, 0x30, 0x0D]))?.lowerBound)
    file[mac - 1] += 2
    #expect(read(file, "open").status == -26275)
  }
}
