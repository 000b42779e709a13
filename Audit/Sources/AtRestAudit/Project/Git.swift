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

  private struct Output {
    let status: Int32
    let data: Data

    var names: [String] { data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) } }
  }

  private static func run(_ arguments: [String], in folder: String) throws -> Output {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // A repository can configure programs that git runs. The queries need none of these programs.
    process.arguments =
      ["git", "-C", folder, "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
      + arguments
    var environment = ProcessInfo.processInfo.environment
    // A git hook runs with the variables of its own repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"] {
      environment[name] = nil
    }
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    environment["LC_ALL"] = "C"
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(status: process.terminationStatus, data: data)
  }
}
