import AtRestCrypto
import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// What URL loading keeps of responses, cookies and credentials: cleared at logout.
public enum ResponseCaches {
  /// The kinds of what is kept.
  public struct Kinds: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Responses, in memory and on disk (`Cache.db` on Apple's platforms).
    public static let responses = Kinds(rawValue: 1)
    /// Cookies.
    public static let cookies = Kinds(rawValue: 2)
    /// Credentials for servers, the permanent ones among them.
    public static let credentials = Kinds(rawValue: 4)
    /// All of them.
    public static let all: Kinds = [.responses, .cookies, .credentials]
  }

  /// Clears the shared storages of this program, and those of configurations.
  ///
  /// Responses are removed from the cache's files by the system: on Apple's platforms the bytes may
  /// stay in the database's free pages until it reuses them, which is why sensitive responses go through
  /// `URLSessionConfiguration.sensitive`. Sessions that are under way may store
  /// more: invalidate them before.
  ///
  /// Safe to call from several threads; takes the time of the files' removal.
  ///
  /// - Parameter configurations: Those with storages of their own. A running session gives its
  ///   configuration.
  /// - Throws: ``AtRestError/Code/system`` where cookies or credentials are still there afterwards.
  public static func clear(
    _ kinds: Kinds = .all, of configurations: [URLSessionConfiguration] = []
  ) throws {
    if kinds.contains(.responses) {
      for cache in [URLCache.shared] + configurations.compactMap(\.urlCache) {
        cache.removeAllCachedResponses()
      }
    }
    if kinds.contains(.cookies) {
      for storage in [HTTPCookieStorage.shared] + configurations.compactMap(\.httpCookieStorage) {
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
        guard storage.cookies?.isEmpty != false else { throw remains("Cookies") }
      }
    }
    if kinds.contains(.credentials) {
      let storages = configurations.compactMap(\.urlCredentialStorage)
      for storage in [URLCredentialStorage.shared] + storages {
        for (space, credentials) in storage.allCredentials {
          for credential in credentials.values { remove(credential, space, storage) }
        }
        guard storage.allCredentials.values.allSatisfy(\.isEmpty) else {
          throw remains("Credentials")
        }
      }
    }
  }

  private static func remove(
    _ credential: URLCredential, _ space: URLProtectionSpace, _ storage: URLCredentialStorage
  ) {
    #if canImport(Darwin)
      storage.remove(
        credential, for: space,
        options: [NSURLCredentialStorageRemoveSynchronizableCredentials: true])
    #else
      storage.remove(credential, for: space)
    #endif
  }

  private static func remains(_ what: String) -> AtRestError {
    AtRestError(
      .system, "\(what) of this program are still there after they were removed.",
      remedy: "Invalidate sessions that are under way, and clear again.")
  }
}

extension HTTPCookieStorage {
  /// Whether cookies reach the disk, as far as can be told: where not, they do.
  var isPersistent: Bool {
    if self === HTTPCookieStorage.shared { return true }
    #if canImport(Darwin)
      // The system has no other but those of application groups, which nothing tells from the ones of
      // ephemeral configurations.
      return false
    #else
      let field = Mirror(reflecting: self).children.first { $0.label == "isEphemeral" }
      return field?.value as? Bool != true
    #endif
  }
}
