import AtRestAuditModel
import Foundation

/// Queries git about a folder.
struct Git: Sendable {
  let folder: String

  /// The files and folders below the folder that git ignores. Folders end with a `/`. The set is
  /// empty if the folder is not in a work tree or if git is not installed.
  var ignored: Set<String> {
    // Starting git takes longer than the audit of a small project.
    guard isInWorkTree else { return [] }
    let arguments = [
      "ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z",
    ]
    guard let output = try? Self.run(arguments, in: folder), output.status == 0 else { return [] }
    return Set(output.names)
  }

  private var isInWorkTree: Bool {
    var folder = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    while true {
      if FileStatus(folder + "/.git", followsLink: true) != nil { return true }
      guard folder != "/", !folder.isEmpty else { return false }
      folder = (folder as NSString).deletingLastPathComponent
    }
  }

  /// Returns the files below the folder that are new or changed since a revision.
  ///
  /// - Throws: ``AuditError`` if git does not know the revision or is not installed.
  func changed(since revision: String) throws -> Set<String> {
    guard !revision.hasPrefix("-"), !revision.isEmpty else {
      throw AuditError("'\(revision)' is not a revision. Use a commit, branch or tag.")
    }
    let changed = try Self.run(
      [
        "diff", "--name-only", "--no-ext-diff", "--no-textconv", "--no-renames", "--relative",
        "--diff-filter=d", "-z", revision, "--",
      ], in: folder)
    let new = try Self.run(["ls-files", "--others", "--exclude-standard", "-z"], in: folder)
    for output in [changed, new] where output.status != 0 {
      throw AuditError(
        "git cannot list changes since '\(revision)'. Check that the work tree contains it.")
    }
    return Set(changed.names + new.names)
  }

  /// Returns the files below the folder as they are staged, and the paths of those that the next
  /// commit changes. There need not be a commit yet.
  ///
  /// - Throws: ``AuditError`` if the folder is in no work tree or git is not installed.
  func staged() throws -> (files: [String: Data], changed: Set<String>) {
    let index = try Self.run(["ls-files", "--stage", "-z"], in: folder, staged: true)
    let changed = try Self.run(
      [
        "diff", "--cached", "--name-only", "--no-ext-diff", "--no-textconv", "--no-renames",
        "--relative", "--diff-filter=d", "-z",
      ], in: folder, staged: true)
    guard index.status == 0, changed.status == 0 else {
      throw AuditError("git cannot list what is staged. Check that the folder is in a work tree.")
    }
    // `100644 1f7a… 0\tApp/Login.swift`
    let entries = index.names.compactMap { line -> (object: String, path: String)? in
      let parts = line.split(separator: "\t", maxSplits: 1)
      let fields = parts[0].split(separator: " ")
      guard parts.count == 2, fields.count == 3, fields[0].hasPrefix("100") else { return nil }
      let path = String(parts[1])
      return FileKind(path: path) == nil ? nil : (String(fields[1]), path)
    }
    return (try contents(of: entries), Set(changed.names))
  }

  /// Returns the contents of objects by the paths of their files.
  private func contents(of entries: [(object: String, path: String)]) throws -> [String: Data] {
    let list = FileManager.default.temporaryDirectory
      .appendingPathComponent("atrest-audit-\(UUID().uuidString)")
    try Data(entries.map { $0.object + "\n" }.joined().utf8).write(to: list)
    defer { try? FileManager.default.removeItem(at: list) }
    let input = try FileHandle(forReadingFrom: list)
    defer { try? input.close() }
    let output = try Self.run(["cat-file", "--batch"], in: folder, staged: true, input: input)
    guard output.status == 0 else { throw AuditError("git cannot read what is staged.") }
    var files: [String: Data] = [:]
    var rest = output.data[...]
    for entry in entries {
      // `1f7a… blob 312`, the bytes, and a newline.
      guard let end = rest.firstIndex(of: 0x0A) else { break }
      let head = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
      rest = rest[(end + 1)...]
      guard head.count == 3, let size = Int(head[2]), size < rest.count else { continue }
      files[entry.path] = Data(rest.prefix(size))
      rest = rest.dropFirst(size + 1)
    }
    return files
  }

  private struct Output {
    let status: Int32
    let data: Data

    var names: [String] { data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
  }

  /// - Parameter staged: True to query the index of the commit that a hook runs for.
  private static func run(
    _ arguments: [String], in folder: String, staged: Bool = false, input: FileHandle? = nil
  ) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A repository can configure programs that git runs. The queries need none of these programs.
    process.arguments =
      ["git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
      + arguments
    var environment = ProcessInfo.processInfo.environment
    // A git hook runs with the variables of its own repository.
    let index = environment["GIT_INDEX_FILE"]
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
      environment[name] = nil
    }
    if staged, let index { environment["GIT_INDEX_FILE"] = URL(fileURLWithPath: index).path }
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    environment["LC_ALL"] = "C"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = input ?? FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(status: process.terminationStatus, data: data)
  }
}
