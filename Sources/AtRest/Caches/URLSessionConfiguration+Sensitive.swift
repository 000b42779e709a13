import AtRestCrypto
import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSessionConfiguration {
  /// A configuration that stores nothing: no cache, no cookies and no credentials, not even in
  /// memory.
  ///
  /// Each access returns a new configuration. Downloads and files that a delegate writes still
  /// reach the disk; the caller must protect them.
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

  /// The kinds of data that a session with this configuration would write to disk, or an empty
  /// array if none are found.
  ///
  /// A storage that cannot be queried is listed too. Downloads are not listed: every configuration
  /// writes them to a file.
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
          message: "Credentials may be kept for all sessions, and permanently on request.",
          remedy: "Use URLSessionConfiguration.sensitive, or set urlCredentialStorage to nil."))
    }
    if identifier != nil {
      found.append(
        PersistedStorage(
          id: "background-transfers",
          message: "Background transfers are written to files by another process.",
          remedy:
            "Transfer sensitive data in the foreground, with URLSessionConfiguration.sensitive."
        ))
    }
    return found
  }

  /// A Boolean value that is true if a session with this configuration writes nothing to disk,
  /// except for downloads.
  public var writesNothingToDisk: Bool { persistedStorage.isEmpty }
}

/// A kind of data that sessions with a configuration write to disk.
public struct PersistedStorage: Hashable, Sendable, Codable {
  /// A stable name, such as `response-cache`.
  public let id: String
  /// A sentence that says what is written.
  public let message: String
  /// A sentence that says how to prevent the write.
  public let remedy: String
}
