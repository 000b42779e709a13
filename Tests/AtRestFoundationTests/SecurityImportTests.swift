import AtRestFoundation
import Security
import Testing

/// Tests of a file that imports Security as well, as keychain code does. Security brings Foundation's names along,
/// but its calls must remain those of AtRestFoundation.
@Suite struct SecurityImportTests {
  @Test func theCallsStillProtect() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtection)
      try #expect(!place.showsSecret())
      try Place.secret.write(to: place.url)
      try #expect(!place.showsSecret())
      try #expect(Data(contentsOf: place.url) == Place.secret)
      #expect(FileManager.default.contents(atPath: place.url.path) == Place.secret)
      try #expect(String(contentsOf: place.url, encoding: .utf8).isEmpty == false)
      let attributes: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.complete]
      let other = place.folder.appendingPathComponent("other")
      #expect(
        FileManager.default.createFile(
          atPath: other.path, contents: Place.secret, attributes: attributes))
      try #expect(!place.showsSecret(other))
    }
  }

  @Test func theKeychainIsThatOfTheFile() throws {
    let place = try Place()
    place.device.run {
      let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrAccount: "eva", kSecValueData: Place.secret,
      ]
      #expect(SecItemAdd(item as CFDictionary, nil) == errSecSuccess)
    }
  }
}
