import Security
import Testing

/// Tests of a file that imports Security and not Foundation: what Apple's module brings along.
@Suite struct ImportTests {
  @Test func bridgedTypesComeAlong() throws {
    let query = [kSecClass: kSecClassGenericPassword, kSecAttrAccount: "eva" as NSString]
    let dictionary = query as CFDictionary
    #expect(dictionary.count == 2)
    #expect(kSecClass as String == "class")
    let data: Data = Data("secret".utf8)
    #expect(data as CFData == NSData(data: data))
    let error = NSError(domain: NSOSStatusErrorDomain, code: -50)
    #expect(error.code == errSecParam)
  }
}
