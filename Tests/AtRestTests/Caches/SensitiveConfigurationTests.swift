import AtRest
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct SensitiveConfigurationTests {
  @Test func itKeepsNothing() {
    let configuration = URLSessionConfiguration.sensitive
    #expect(configuration.urlCache == nil)
    #expect(configuration.httpCookieStorage == nil)
    #expect(configuration.urlCredentialStorage == nil)
    #expect(configuration.httpCookieAcceptPolicy == .never)
    #expect(!configuration.httpShouldSetCookies)
    #expect(configuration.writesNothingToDisk)
    // The session uses the same configuration.
    let session = URLSession(configuration: configuration)
    defer { session.invalidateAndCancel() }
    #expect(session.configuration.writesNothingToDisk)
    #expect(session.configuration.urlCache == nil)
    #expect(session.configuration.httpCookieStorage == nil)
  }

  @Test func theDefaultOneWritesAndSaysWhat() {
    let found = URLSessionConfiguration.default.persistedStorage
    #expect(Set(found.map(\.id)) == ["response-cache", "cookies", "credentials"])
    #expect(found.allSatisfy { !$0.message.isEmpty && !$0.remedy.isEmpty })
    #expect(!URLSessionConfiguration.default.writesNothingToDisk)
  }

  @Test func anEphemeralOneStaysInMemory() {
    #expect(URLSessionConfiguration.ephemeral.persistedStorage == [])
  }

  @Test func eachStorageIsSeenByItself() {
    let configuration = URLSessionConfiguration.sensitive
    configuration.httpCookieStorage = .shared
    #expect(configuration.persistedStorage.map(\.id) == ["cookies"])
    configuration.httpCookieStorage = nil
    configuration.urlCache = URLCache.inFolder(nil, diskCapacity: 1000)
    #expect(configuration.persistedStorage.map(\.id) == ["response-cache"])
    configuration.urlCache = URLCache.inFolder(nil, diskCapacity: 0)
    #expect(configuration.writesNothingToDisk)
    configuration.urlCredentialStorage = .shared
    #expect(configuration.persistedStorage.map(\.id) == ["credentials"])
  }
}
