import AtRest
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The shared storages belong to the process, so the tests run one at a time.
@Suite(.serialized) struct ResponseCacheTests {
  private static let url = URL(string: "https://bank.example.com/statement")!

  private static func fill(_ cache: URLCache) throws {
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: ["Cache-Control": "max-age=3600"]))
    cache.storeCachedResponse(
      CachedURLResponse(response: response, data: Data("balance-of-eva".utf8)),
      for: URLRequest(url: url))
  }

  private static func cookie() throws -> HTTPCookie {
    try #require(
      HTTPCookie(properties: [
        .name: "session", .value: "balance-of-eva", .domain: "bank.example.com", .path: "/",
        .expires: Date.distantFuture,
      ]))
  }

  private static var space: URLProtectionSpace {
    URLProtectionSpace(
      host: "bank.example.com", port: 443, protocol: "https", realm: nil,
      authenticationMethod: NSURLAuthenticationMethodHTTPBasic)
  }

  private static func files(in folder: URL) -> [Data] {
    let paths = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (paths?.allObjects as? [URL] ?? []).compactMap { try? Data(contentsOf: $0) }
  }

  /// The same configuration is checked before and after. Its contents before are the control.
  @Test func clearsAConfigurationsOwnStorages() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    let configuration = URLSessionConfiguration.ephemeral
    let cache = URLCache.inFolder(folder, diskCapacity: 1 << 20)
    configuration.urlCache = cache
    try Self.fill(cache)
    let cookies = try #require(configuration.httpCookieStorage)
    cookies.setCookie(try Self.cookie())
    let credentials = try #require(configuration.urlCredentialStorage)
    credentials.set(
      URLCredential(user: "eva", password: "p", persistence: .forSession), for: Self.space)
    #if !canImport(Darwin)
      #expect(Self.files(in: folder).contains { $0.range(of: Self.encoded) != nil })
    #endif
    #expect(cache.cachedResponse(for: URLRequest(url: Self.url)) != nil)
    #expect(cookies.cookies?.count == 1 && credentials.allCredentials.count == 1)

    try ResponseCaches.clear(of: [configuration])
    #expect(cache.cachedResponse(for: URLRequest(url: Self.url)) == nil)
    #if !canImport(Darwin)
      #expect(!Self.files(in: folder).contains { $0.range(of: Self.encoded) != nil })
    #endif
    #expect(cookies.cookies?.isEmpty != false)
    #expect(credentials.allCredentials.values.joined().isEmpty)
  }

  private static let encoded = Data("balance-of-eva".utf8)

  /// In a process of its own, because logouts in other tests clear the shared storages too.
  @Test func clearsTheSharedStorages() async {
    await #expect(processExitsWith: .success) {
      try ResponseCacheTests.fill(.shared)
      HTTPCookieStorage.shared.setCookie(try ResponseCacheTests.cookie())
      URLCredentialStorage.shared.set(
        URLCredential(user: "eva", password: "p", persistence: .forSession),
        for: ResponseCacheTests.space)
      let request = URLRequest(url: ResponseCacheTests.url)
      try #require(URLCache.shared.cachedResponse(for: request) != nil)
      try #require(HTTPCookieStorage.shared.cookies?.isEmpty == false)
      try ResponseCaches.clear()
      try #require(URLCache.shared.cachedResponse(for: request) == nil)
      try #require(HTTPCookieStorage.shared.cookies?.isEmpty != false)
      try #require(URLCredentialStorage.shared.allCredentials.values.joined().isEmpty)
    }
  }

  @Test func clearsTheKindsThatAreNamed() throws {
    let configuration = URLSessionConfiguration.ephemeral
    let cookies = try #require(configuration.httpCookieStorage)
    cookies.setCookie(try Self.cookie())
    try ResponseCaches.clear([.responses, .credentials], of: [configuration])
    #expect(cookies.cookies?.count == 1)
    try ResponseCaches.clear(.cookies, of: [configuration])
    #expect(cookies.cookies?.isEmpty != false)
  }
}

extension URLCache {
  /// Returns a cache with files of its own.
  static func inFolder(_ folder: URL?, diskCapacity: Int) -> URLCache {
    #if canImport(FoundationNetworking)
      URLCache(memoryCapacity: 1 << 20, diskCapacity: diskCapacity, diskPath: folder?.path)
    #else
      URLCache(memoryCapacity: 1 << 20, diskCapacity: diskCapacity, directory: folder)
    #endif
  }
}
