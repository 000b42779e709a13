import Foundation

/// The files that are audited: a folder, or strings in memory.
public struct SourceTree: Sendable {
  /// The name of the folder, for reports.
  public let name: String
  private let content: Content

  /// The size in bytes above which a file of code is skipped.
  package static let codeSizeLimit = 10 << 20
  /// The size in bytes above which any other file is skipped.
  package static let sizeLimit = 64 << 20

  private enum Content: Sendable {
    case folder(String)
    case memory([String: Data])
  }

  /// Creates a tree from a folder on disk.
  public init(folder: String) {
    let path = URL(fileURLWithPath: folder).standardizedFileURL.path
    name = (path as NSString).lastPathComponent
    content = .folder(path)
  }

  /// Creates a tree from strings by path, for tests and editors.
  public init(name: String = "memory", files: [String: String]) {
    self.init(name: name, data: files.mapValues { Data($0.utf8) })
  }

  /// Creates a tree from bytes by path, for tests of files that are not text.
  public init(name: String = "memory", data: [String: Data]) {
    self.name = name
    content = .memory(data)
  }

  /// The folder on disk, or nil if the files are in memory.
  public var folder: String? {
    if case .folder(let path) = content { path } else { nil }
  }

  /// The paths of the files in memory, in order, or nil if the tree is a folder.
  package var pathsInMemory: [String]? {
    if case .memory(let files) = content { files.keys.sorted() } else { nil }
  }

  /// Returns the bytes of a file.
  ///
  /// - Throws: The system's error if the file does not exist or cannot be read.
  public func read(_ path: String) throws -> Data {
    switch content {
    case .folder(let folder):
      try Data(contentsOf: URL(fileURLWithPath: folder + "/" + path))
    case .memory(let files):
      try files[path] ?? { throw CocoaError(.fileReadNoSuchFile) }()
    }
  }

  /// Returns true if a file exists at this path.
  package func contains(_ path: String) -> Bool {
    switch content {
    case .folder(let folder): FileStatus(folder + "/" + path, followsLink: false) != nil
    case .memory(let files): files[path] != nil
    }
  }

  /// Returns the bytes of a file that is not larger than a limit.
  ///
  /// - Throws: ``AuditError`` if the file is larger than the limit, or the system's error if the
  ///   file cannot be read.
  package func read(_ path: String, limit: Int) throws -> Data {
    guard case .folder(let folder) = content else {
      let data = try read(path)
      guard data.count <= limit else { throw Self.tooLarge(limit) }
      return data
    }
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder + "/" + path))
    defer { try? handle.close() }
    // One byte more than the limit shows that the file is too large.
    let data = try handle.read(upToCount: limit + 1) ?? Data()
    guard data.count <= limit else { throw Self.tooLarge(limit) }
    return data
  }

  /// Returns the first bytes of a file.
  ///
  /// - Throws: The system's error if the file cannot be read.
  package func head(_ path: String, length: Int) throws -> Data {
    guard case .folder(let folder) = content else { return try read(path).prefix(length) }
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: folder + "/" + path))
    defer { try? handle.close() }
    return try handle.read(upToCount: length) ?? Data()
  }

  /// Returns the paths of the regular files below a folder, in order, without following links. A
  /// folder that cannot be read has none.
  package func paths(below folder: String) -> [String] {
    switch content {
    case .folder(let root):
      let names = FileManager.default.enumerator(atPath: root + "/" + folder)
      return (names?.allObjects as? [String] ?? []).map { folder + "/" + $0 }
        .filter { FileStatus(root + "/" + $0, followsLink: false) == .file }.sorted()
    case .memory(let files): return files.keys.filter { $0.hasPrefix(folder + "/") }.sorted()
    }
  }

  private static func tooLarge(_ limit: Int) -> AuditError {
    AuditError("The file is larger than \(limit >> 20) MiB.")
  }
}
