import AtRestFormats
import Foundation

/// The files and snapshots of a container that was opened. The findings are in the report.
public struct ContainerSummary: Hashable, Sendable {
  /// The folder, archive or backup, as named by the user.
  public let name: String
  /// The files, ordered by path.
  public var files: [File]
  /// The images of the app's screens that the system stores.
  public var snapshots: [Snapshot]
  /// The number of values that were examined in all files.
  public var values: Int
  /// The size of all files in bytes.
  public var bytes: Int
  /// The canaries that were searched for, with the places where each was found.
  public var canaries: [CanaryResult] = []
  /// The number of keychain items whose values could not be decrypted.
  public var sealed = 0

  /// Creates the summary of a container.
  public init(
    name: String, files: [File] = [], snapshots: [Snapshot] = [], values: Int = 0, bytes: Int = 0
  ) {
    self.name = name
    self.files = files
    self.snapshots = snapshots
    self.values = values
    self.bytes = bytes
  }

  public struct File: Hashable, Sendable {
    public let path: String
    /// The type that its bytes show: `SQLite`, `binary property list`.
    public let type: String
    public let size: Int
    public let verdict: ContentVerdict
    public let protectionClass: String?
    /// True if the file is an encrypted database that a value of the container opened.
    public let isOpened: Bool
    /// The values that were tried on the file, if it may be an encrypted database and none opened it.
    public let tries: KeyTries?
    /// The time of the last change, if the folder, the archive or the backup records it.
    public let modified: Date?
    /// The identifier of the app in whose container the file is, if a device or a backup names it.
    public let owner: String?
    /// True if the app left the file or a folder around it out of backups, as far as the copy shows.
    public let isExcludedFromBackups: Bool

    /// Creates the description of a file of the container.
    public init(
      path: String, type: String, size: Int, verdict: ContentVerdict,
      protectionClass: String? = nil,
      isOpened: Bool = false, tries: KeyTries? = nil, modified: Date? = nil, owner: String? = nil,
      isExcludedFromBackups: Bool = false
    ) {
      self.path = path
      self.type = type
      self.size = size
      self.verdict = verdict
      self.protectionClass = protectionClass
      self.isOpened = isOpened
      self.tries = tries
      self.modified = modified
      self.owner = owner
      self.isExcludedFromBackups = isExcludedFromBackups
    }
  }

  public struct Snapshot: Hashable, Sendable {
    public let path: String
    /// The bytes of the image, if a browser can show it.
    public let image: [UInt8]?
    /// The media type of the image: `image/png`.
    public let mediaType: String?

    /// Creates the description of a snapshot of the screen.
    public init(path: String, image: [UInt8]? = nil, mediaType: String? = nil) {
      self.path = path
      self.image = image
      self.mediaType = mediaType
    }
  }
}
