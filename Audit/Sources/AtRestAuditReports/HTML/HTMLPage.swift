import Crypto
import Foundation

/// What the page of ``HTMLReport`` looks like and does.
enum HTMLPage {
  /// Nothing is loaded, no image is shown but those within, and no other script runs, whatever
  /// stands in the findings.
  static let policy: String = {
    let hash = Data(SHA256.hash(data: Data(script.utf8))).base64EncodedString()
    return "default-src 'none'; img-src data:; style-src 'unsafe-inline'; "
      + "script-src 'sha256-\(hash)'; base-uri 'none'; form-action 'none'"
  }()
}
