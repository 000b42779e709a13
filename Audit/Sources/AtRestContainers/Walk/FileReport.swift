import AtRestFormats
import Foundation

/// The results of a walk for one file, in a folder or in an archive.
package struct FileReport: Sendable {
  /// The place of the file, with the file as its last part: `a.zip › b.db`.
  package let locator: Locator
  /// The size in bytes.
  package internal(set) var size: Int
  package let modified: Date?
  package let protectionClass: String?
  /// True if the app left the file or a folder around it out of backups, as far as the copy shows.
  package let isExcludedFromBackups: Bool
  package internal(set) var type = FileType.unknown
  /// The number of values that were visited in the file, without raw bytes.
  package internal(set) var values = 0
  /// The SHA-256 of the file's bytes, or nil if it was not requested or not all bytes could be
  /// read.
  package internal(set) var sha256: [UInt8]?
  /// True if the file is a snapshot that the system took of the app's windows.
  package internal(set) var isSnapshot = false
  /// True if the file is an archive or a store whose contents are mostly encrypted, though its own structure is not.
  package internal(set) var isEncryptedWithin = false
  /// The size of the image, if the file is a snapshot in PNG, JPEG or KTX.
  package internal(set) var pictureSize: ImageSize?
  /// The file's contents, if it is a small snapshot in PNG or JPEG.
  package internal(set) var picture: [UInt8]?
  /// The identifier of the app whose container the folder of this file is, if the file says so.
  package internal(set) var application: String?
  /// The file beside an encrypted store of MMKV.
  var storeState: MMKVState?
  /// The file, if it may be an encrypted database.
  var listed: ListedFile?
  /// True if the file is an encrypted database that a value of the container opened.
  package internal(set) var isOpened = false
  /// The values that were tried on the file, if it may be an encrypted database and none opened it.
  package internal(set) var tries: KeyTries?
  /// The assessment of the file's contents, once it is known.
  package var verdict: ContentVerdict?

  init(
    locator: Locator, size: Int, modified: Date?, protectionClass: String?,
    isExcludedFromBackups: Bool = false
  ) {
    self.locator = locator
    self.size = size
    self.modified = modified
    self.protectionClass = protectionClass
    self.isExcludedFromBackups = isExcludedFromBackups
  }
}
