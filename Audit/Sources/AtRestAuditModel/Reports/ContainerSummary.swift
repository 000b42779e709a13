import AtRestFormats

/// What was opened of a container, beside what was found in it.
public struct ContainerSummary: Hashable, Sendable {
  /// The folder, archive or backup as it was named.
  public let name: String
  /// By path.
  public var files: [File]
  /// Images of the app's screens that the system keeps.
  public var snapshots: [Snapshot]
  /// Values that were looked at, within all files.
  public var values: Int
  /// Bytes of all files.
  public var bytes: Int

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
    /// What its bytes say it is: `SQLite`, `binary property list`.
    public let type: String
    public let size: Int
    public let verdict: ContentVerdict
    public let protectionClass: String?

    public init(
      path: String, type: String, size: Int, verdict: ContentVerdict, protectionClass: String? = nil
    ) {
      self.path = path
      self.type = type
      self.size = size
      self.verdict = verdict
      self.protectionClass = protectionClass
    }
  }

  public struct Snapshot: Hashable, Sendable {
    public let path: String
    /// The image where a browser can show it.
    public let image: [UInt8]?
    /// `image/png`.
    public let mediaType: String?

    public init(path: String, image: [UInt8]? = nil, mediaType: String? = nil) {
      self.path = path
      self.image = image
      self.mediaType = mediaType
    }
  }
}
