import Crypto
import Foundation

/// The style and the script of the page of ``HTMLReport``.
enum HTMLPage {
  /// The content security policy: the page loads nothing, shows only embedded images, and runs no
  /// other script, whatever the findings contain.
  static let policy: String = {
    let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
    return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
      + "script-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
  }()
}
