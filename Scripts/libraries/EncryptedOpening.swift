import AtRestCrypto
import CAtRestDatabase
import Crypto
import Foundation
import Synchronization

/// Opens the databases of a test suite that knows nothing about encryption.
public enum EncryptedOpening {
  private static let cipher: PageCipher = {
    precondition(atrest_database_register("atrest", nil) == 0)
    return PageCipher(
      format: .sqlcipher4, salt: RandomBytes.data(count: 16), key: SymmetricKey(size: .bits256),
      authentication: SymmetricKey(size: .bits256))
  }()
  /// The registrations by path: one for each database, as `EncryptedDatabase` has them.
  private static let registrations = Mutex<[String: KeyRegistration]>([:])

  /// Returns the name with which SQLite opens a file encrypted, or nil if it is to be opened as it
  /// is: a database in memory, a temporary one, a URI, or a file of the suite that is in plaintext.
  public static func name(of path: String) -> String? {
    if ProcessInfo.processInfo.environment["ATREST_PLAIN"] != nil { return nil }
    if path.isEmpty || path.hasPrefix(":") || path.hasPrefix("file:") { return nil }
    if let file = FileHandle(forReadingAtPath: path),
      (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    {
      return nil
    }
    let registration = registrations.withLock { registrations in
      if let known = registrations[path] { return known }
      do {
        let new = try KeyRegistration(cipher)
        registrations[path] = new
        return new
      } catch {
        fatalError("\(error)")
      }
    }
    return registration.uri(of: URL(fileURLWithPath: path), vfs: "atrest")
      + "&\(ATREST_CREATE_PARAMETER)=1"
  }
}
