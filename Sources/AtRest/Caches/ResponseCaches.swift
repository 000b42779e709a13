import AtRestCrypto
import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The responses, cookies and credentials that URL loading keeps. Logging an account out clears the
/// shared storages.
public enum ResponseCaches {
  /// The kinds of data that URL loading stores.
  public struct Kinds: OptionSet, Sendable, Hashable {
    public let rawValue: Int
    /// Creates a set of kinds from its raw value.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Responses, in memory and on disk (`Cache.db` on Apple's platforms).
    public static let responses = Kinds(rawValue: 1)
    /// Cookies.
    public static let cookies = Kinds(rawValue: 2)
    /// Credentials for servers, including permanent ones.
    public static let credentials = Kinds(rawValue: 4)
    /// All kinds.
    public static let all: Kinds = [.responses, .cookies, .credentials]
  }

  /// Clears the storages that this program shares, and the storages of the given configurations.
  ///
  /// The system removes responses from the cache's files. On Apple's platforms, the bytes may stay
  /// in free pages of the database until the pages are reused, so transfer sensitive responses with
  /// `URLSessionConfiguration.sensitive`. Active URL sessions may store more data; invalidate them
  /// first.
  ///
  /// Safe to call from several threads. The call takes as long as the removal of the files.
  ///
  /// - Parameter configurations: Configurations that have storages of their own. For a running URL
  ///   session, pass its `configuration`.
  /// - Throws: ``AtRestError/Code/system`` if cookies or credentials remain afterwards.
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
      .system, "\(what) of this program remain after they were removed.",
      remedy: "Invalidate active sessions, and clear again.")
  }
}

extension HTTPCookieStorage {
  /// True if cookies are written to disk, as far as this can be determined.
  var isPersistent: Bool {
    if self === HTTPCookieStorage.shared { return true }
    #if canImport(Darwin)
      // The only other storages are those of application groups, which cannot be distinguished from
      // those of ephemeral configurations.
      return false
    #else
      let field = Mirror(reflecting: self).children.first { $0.label == "isEphemeral" }
      return field?.value as? Bool != true
    #endif
  }
}
