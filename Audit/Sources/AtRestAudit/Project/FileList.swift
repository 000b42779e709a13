import AtRestAuditModel
import AtRestFormats
import Foundation

/// The files of a project that are audited, and those that are left out.
struct FileList: Sendable {
  /// The files, ordered by path.
  private(set) var files: [AuditFile] = []
  private(set) var leftOut: [AuditReport.LeftOut] = []
  private(set) var skipped: [Skip] = []
  /// The folders with a manifest of a build that is not read.
  private(set) var manifests: Set<String> = []

  /// The maximum depth of folders that are read. Real projects stay below a depth of 30.
  static let depthLimit = 64
  /// The maximum number of entries that are visited, so that the audit of an endless folder ends.
  static let entryLimit = 2_000_000

  private static let unknownKind = "Files of this kind are not audited."

  private let tree: SourceTree
  private let selection: FileSelection
  private var entries = 0

  /// - Parameter paths: The files and folders to read, below the tree's folder. If there are none,
  ///   everything is read.
  init(tree: SourceTree, settings: Settings, paths: [String] = []) {
    self.tree = tree
    selection = FileSelection(settings: settings)
    let paths = paths.contains("") ? [] : paths
    if let folder = tree.folder {
      let ignored = Git(folder: folder).ignored
      // A path that the user names is read, whatever its name.
      for path in paths.isEmpty ? [""] : Set(paths).sorted() {
        visit(folder, path, depth: 0, ignored: ignored, onlyIncluded: false, isNamed: true)
      }
    } else {
      for path in tree.pathsInMemory ?? [] { visit(inMemory: path, paths) }
    }
    files.sort { $0.path < $1.path }
    // A file can be found twice: by its own path, and through a folder that may leave the file out.
    files = files.enumerated().filter {
      $0.offset == 0 || files[$0.offset - 1].path != $0.element.path
    }.map(\.element)
    let named = Set(paths)
    leftOut = Set(leftOut).filter { !named.contains($0.path) }
    leftOut.sort { ($0.path, $0.reason.rawValue) < ($1.path, $1.reason.rawValue) }
  }

  /// Returns the folder of the project with its slash, if all of the tree or one folder is audited, or nil for
  /// a choice of files.
  func project(_ paths: [String]) -> String? {
    if paths.isEmpty || paths.contains("") { return "" }
    guard paths.count == 1, let folder = paths.first.map({ $0 + "/" }),
      files.contains(where: { $0.path.hasPrefix(folder) })
    else { return nil }
    return folder
  }

  private mutating func visit(
    _ root: String, _ path: String, depth: Int, ignored: Set<String>, onlyIncluded: Bool,
    isNamed: Bool = false
  ) {
    guard let status = FileStatus(path.isEmpty ? root : root + "/" + path, followsLink: isNamed)
    else {
      skipped.append(Skip(path: path, reason: "The type of this entry cannot be read."))
      return
    }
    switch status {
    case .folder:
      var onlyIncluded = onlyIncluded
      if !isNamed {
        let reason =
          reason(folder: path)
          ?? (ignored.contains(path + "/") && !selection.includes(path) ? .ignored : nil)
        if let reason {
          if !onlyIncluded {
            leftOut.append(.init(reason: reason, path: path + "/"))
          }
          guard selection.mayInclude(below: path) else { return }
          onlyIncluded = true
        }
      }
      guard depth < Self.depthLimit else {
        skipped.append(
          Skip(path: path, reason: "Folders are nested deeper than \(Self.depthLimit)."))
        return
      }
      list(root, path, depth: depth, ignored: ignored, onlyIncluded: onlyIncluded)
    case .file:
      guard let kind = FileKind(path: path) else {
        note(manifest: path)
        if isNamed { skipped.append(Skip(path: path, reason: Self.unknownKind)) }
        return
      }
      let isIncluded = selection.includes(path)
      if onlyIncluded, !isIncluded { return }
      if !isNamed {
        if let reason = selection.reason(path: path, isFolder: false)
          ?? (ignored.contains(path) && !isIncluded ? .ignored : nil)
        {
          leftOut.append(.init(reason: reason, path: path))
          return
        }
      }
      files.append(AuditFile(path: path, kind: kind, isIncluded: isIncluded))
    case .link:
      // If the target of a link is in the project, it is read at its own path.
      leftOut.append(.init(reason: .linked, path: path))
    case .other:
      if isNamed { skipped.append(Skip(path: path, reason: Self.unknownKind)) }
    }
  }

  /// The reason to leave out a folder, or nil to read it. A folder that is named like tests is read
  /// if it has code, and none of the first files of code is a test.
  private func reason(folder path: String) -> AuditReport.LeftOut.Reason? {
    let reason = selection.reason(path: path, isFolder: true)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard reason == .tests, FileSelection.mayBeTests(folder: name) else { return reason }
    let code = tree.paths(below: path).filter { FileKind(path: $0)?.isCode == true }
      .prefix(Self.samples)
    if code.isEmpty { return reason }
    let isApp = code.allSatisfy { path in
      guard let head = try? tree.head(path, length: TestCode.headerLength) else { return false }
      return !head.withUnsafeBytes { TestCode.isTest($0.bindMemory(to: UInt8.self)) }
    }
    return isApp ? nil : reason
  }

  /// The number of files that decide whether a folder holds tests.
  private static let samples = 100

  private mutating func list(
    _ root: String, _ path: String, depth: Int, ignored: Set<String>, onlyIncluded: Bool
  ) {
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(
        atPath: path.isEmpty ? root : root + "/" + path)
    } catch {
      skipped.append(Skip(path: path, reason: "The folder cannot be read."))
      return
    }
    for name in names.sorted() where name != ".git" && name != ".hg" && name != ".svn" {
      entries += 1
      guard entries <= Self.entryLimit else {
        if entries == Self.entryLimit + 1 {
          skipped.append(
            Skip(path: path, reason: "There are more than \(Self.entryLimit) files and folders."))
        }
        return
      }
      visit(
        root, path.isEmpty ? name : path + "/" + name, depth: depth + 1, ignored: ignored,
        onlyIncluded: onlyIncluded)
    }
  }

  /// Records the folder of a manifest that other programs than Xcode and the package manager read.
  private mutating func note(manifest path: String) {
    let name = ResourcePath.name(of: path)
    guard
      name.hasSuffix(".podspec")
        || ["CMakeLists.txt", "Makefile", "BUILD", "BUILD.bazel", "BUCK"].contains(name)
    else { return }
    manifests.insert(ResourcePath.folder(of: path))
  }

  private mutating func visit(inMemory path: String, _ paths: [String]) {
    guard paths.isEmpty || paths.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
      return
    }
    guard let kind = FileKind(path: path) else {
      note(manifest: path)
      return
    }
    let isIncluded = selection.includes(path)
    if !isIncluded {
      let parts = path.split(separator: "/")
      for count in 1..<max(parts.count, 1) {
        let folder = parts.prefix(count).joined(separator: "/")
        if let reason = reason(folder: folder) {
          let left = AuditReport.LeftOut(reason: reason, path: folder + "/")
          if !leftOut.contains(left) { leftOut.append(left) }
          return
        }
      }
      if let reason = selection.reason(path: path, isFolder: false) {
        leftOut.append(.init(reason: reason, path: path))
        return
      }
    }
    files.append(AuditFile(path: path, kind: kind, isIncluded: isIncluded))
  }
}
