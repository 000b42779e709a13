import Foundation

/// The files that are audited: a folder, or texts held in memory.
public struct SourceTree: Sendable {
  /// The name of the folder, for reports.
  public let name: String
  private let content: Content

  /// Bytes of a file of code, and of any other, beyond which it is skipped.
  package static let codeSizeLimit = 10 << 20
  package static let sizeLimit = 64 << 20

  private enum Content: Sendable {
    case folder(String)
    case memory([String: Data])
  }

  /// A folder on disk.
  public init(folder: String) {
    let path = URL(fileURLWithPath: folder).standardizedFileURL.path
    name = (path as NSString).lastPathComponent
    content = .folder(path)
  }

  /// Files by their paths, as tests and editors have them.
  public init(name: String = "memory", files: [String: String]) {
    self.init(name: name, data: files.mapValues { Data($0.utf8) })
  }

  /// Files by their paths, as tests have them whose bytes are no text.
  public init(name: String = "memory", data: [String: Data]) {
    self.name = name
    content = .memory(data)
  }

  /// The folder on disk, if there is one.
  public var folder: String? {
    if case .folder(let path) = content { path } else { nil }
  }

  /// Paths of the files in memory, in order.
  package var pathsInMemory: [String]? {
    if case .memory(let files) = content { files.keys.sorted() } else { nil }
  }

  /// The bytes of a file.
  ///
  /// - Throws: What the system says of a file that is not there or cannot be read.
  public func read(_ path: String) throws -> Data {
    switch content {
    case .folder(let folder):
      try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))
    case .memory(let files):
      try files[path] ?? { throw CocoaError(.fileReadNoSuchFile) }()
    }
  }
  /// Whether there is a file at this path.
  package func contains(_ path: String) -> Bool {
    switch content {
    case .folder(let folder): FileStatus(folder + "/" + path, followsLink: false) != nil
    case .memory(let files): files[path] != nil
    }
  }

  /// The bytes of a file, unless they are too many.
  ///
  /// - Throws: ``AuditError`` for a file larger than the limit; what the system says of one that cannot be
  ///   read.
  package func read(_ path: String, limit: Int) throws -> Data {
    guard case .folder(let folder) = content else {
      let data = try read(path)
      guard data.count <= limit else { throw Self.tooLarge(limit) }
      return data
    }
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder + "/" + path))
    defer { try? handle.close() }
    // One byte more tells a file that is too large from one that fills the limit.
    let data = try handle.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else { throw Self.tooLarge(limit) }
    return data
  }

  private static func tooLarge(_ limit: Int) -> AuditError {
    AuditError("The file is larger than \(limit >> 20) MiB.")
  }
}
