import AtRestCrypto
import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// A configuration that keeps nothing: no cache, no cookies, no credentials, in memory neither.
  ///
  /// A new one each time. Downloads, and files that a delegate writes, are the caller's.
  public static var sensitive: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpCookieAcceptPolicy = .never
    configuration.httpShouldSetCookies = false
    configuration.urlCredentialStorage = nil
    #if canImport(Darwin)
      configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    #endif
    return configuration
  }

  /// What a session with this configuration would write to disk, in words; empty: nothing.
  ///
  /// A storage that cannot be asked is listed too. Downloads are written to a file under every
  /// configuration.
  public var persistedStorage: [PersistedStorage] {
    var found: [PersistedStorage] = []
    if let urlCache, urlCache.diskCapacity > 0 {
      found.append(
        PersistedStorage(
          id: "response-cache",
          message:
            "Responses are cached on disk, in plaintext, up to \(urlCache.diskCapacity) bytes.",
          remedy: "Use URLSessionConfiguration.sensitive, or set urlCache to nil."))
    }
    if let httpCookieStorage, httpCookieStorage.isPersistent {
      found.append(
        PersistedStorage(
          id: "cookies", message: "Cookies are kept on disk, in plaintext.",
          remedy: "Use URLSessionConfiguration.sensitive, or set httpCookieStorage to nil."))
    }
    if let urlCredentialStorage, urlCredentialStorage === URLCredentialStorage.shared {
      found.append(
        PersistedStorage(
          id: "credentials",
          message: "Credentials may be kept for all sessions, and permanently where asked for.",
          remedy: "Use URLSessionConfiguration.sensitive, or set urlCredentialStorage to nil."))
    }
    if identifier != nil {
      found.append(
        PersistedStorage(
          id: "background-transfers",
          message: "Transfers in the background are written to files by another process.",
          remedy:
            "Transfer sensitive data in the foreground, under URLSessionConfiguration.sensitive."
        ))
    }
    return found
  }

  /// Whether a session with this configuration writes nothing to disk, downloads apart.
  public var writesNothingToDisk: Bool { persistedStorage.isEmpty }
}

/// Something that a configuration has sessions write to disk, in words.
public struct PersistedStorage: Hashable, Sendable, Codable {
  /// A stable name, such as `response-cache`.
  public let id: String
  /// What is written.
  public let message: String
  /// How to have it not written.
  public let remedy: String
}
