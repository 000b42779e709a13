import AtRestFormats
import Foundation

/// What a walk tells of one file, in a folder or within an archive.
package struct FileReport: Sendable {
  /// Ends with the file: `a.zip › b.db`.
  package let locator: Locator
  /// In bytes.
  package internal(set) var size: Int
  package let modified: Date?
  package let protectionClass: String?
  package internal(set) var type = FileType.unknown
  /// Values that were given of it, raw bytes not counted.
  package internal(set) var values = 0
  /// Of its bytes, if hashes were asked for and all of them could be read.
  package internal(set) var sha256: [UInt8]?
  /// Whether it is a picture that the system took of the app's windows.
  package internal(set) var isSnapshot = false
  /// The file itself, if it is such a picture in PNG or JPEG and small.
  package internal(set) var picture: [UInt8]?
  /// In what state the data is, once somebody has judged it.
  package var verdict: ContentVerdict?

  init(locator: Locator, size: Int, modified: Date?, protectionClass: String?) {
    self.locator = locator
    self.size = size
    self.modified = modified
    self.protectionClass = protectionClass
  }
}
