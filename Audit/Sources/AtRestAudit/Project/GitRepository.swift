import AtRestAuditModel
import Foundation

/// The repository that contains a folder, read from git's own files. Git is not run, so a
/// repository can neither run programs nor delay the audit.
struct GitRepository {
  /// The folder of the work tree.
  private let root: String
  /// The folder with `HEAD`.
  private let folder: String
  /// The folder with the configuration and the branches, which several work trees share.
  private let common: String

  private static let sizeLimit = 4 << 20

  /// Returns nil if the folder is not in a work tree.
  init?(containing path: String) {
    var root = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    while FileStatus(root + "/.git", followsLink: true) == nil {
      guard root != "/", !root.isEmpty else { return nil }
      root = (root as NSString).deletingLastPathComponent
    }
    self.root = root
    var folder = root + "/.git"
    // In a further work tree or a submodule, `.git` is a file that names the folder.
    if FileStatus(folder, followsLink: true) == .file {
      guard let text = Self.line(folder), text.hasPrefix("gitdir:") else { return nil }
      folder = Self.path(text.dropFirst("gitdir:".count), in: root)
    }
    self.folder = folder
    common = Self.line(folder + "/commondir").map { Self.path($0[...], in: folder) } ?? folder
  }

  /// The place of a folder on the web, or nil if no remote is known to have one.
  func repository(of path: String) -> Repository? {
    let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    guard let head = Self.line(folder + "/HEAD"), let (commit, branch) = resolve(head),
      let remote = remote(of: branch), path == root || path.hasPrefix(root + "/")
    else { return nil }
    return Repository(
      remote: remote, commit: commit, folder: String(path.dropFirst(root.utf8.count + 1)))
  }

  /// Returns the commit of `HEAD`, and its branch unless it is detached.
  private func resolve(_ head: String) -> (commit: String, branch: String?)? {
    guard head.hasPrefix("ref:") else { return (head, nil) }
    let name = head.dropFirst("ref:".count).trimmingCharacters(in: .whitespaces)
    guard name.hasPrefix("refs/"), !name.contains("..") else { return nil }
    let branch =
      name.hasPrefix("refs/heads/") ? String(name.dropFirst("refs/heads/".count)) : nil
    if let commit = Self.line("\(folder)/\(name)") ?? Self.line("\(common)/\(name)") {
      return (commit, branch)
    }
    for line in Self.text(common + "/packed-refs")?.split(separator: "\n") ?? [] {
      let parts = line.split(separator: " ", maxSplits: 1)
      if parts.count == 2, parts[1] == name { return (String(parts[0]), branch) }
    }
    return nil
  }

  /// Returns the address of the branch's remote, of `origin`, or of the only remote.
  private func remote(of branch: String?) -> String? {
    var remotes: [String: String] = [:]
    var upstream: String?
    var section = ""
    for line in Self.text(common + "/config")?.split(whereSeparator: \.isNewline) ?? [] {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("[") {
        section = line
        continue
      }
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = line[..<sign].trimmingCharacters(in: .whitespaces).lowercased()
      var value = line[line.index(after: sign)...].trimmingCharacters(in: .whitespaces)
      if value.hasPrefix("\""), value.hasSuffix("\""), value.count > 1 {
        value = String(value.dropFirst().dropLast())
      }
      if key == "url", let name = Self.name(section, "remote"), remotes[name] == nil {
        remotes[name] = value
      }
      if key == "remote", let branch, Self.name(section, "branch") == branch { upstream = value }
    }
    return upstream.flatMap { remotes[$0] } ?? remotes["origin"]
      ?? (remotes.count == 1 ? remotes.values.first : nil)
  }

  /// Returns the name in `[kind "name"]`.
  private static func name(_ section: String, _ kind: String) -> String? {
    let start = "[\(kind) \""
    guard section.lowercased().hasPrefix(start), section.hasSuffix("\"]") else { return nil }
    return String(section.dropFirst(start.count).dropLast(2))
  }

  private static func path(_ text: Substring, in folder: String) -> String {
    let path = text.trimmingCharacters(in: .whitespaces)
    return path.hasPrefix("/") ? path : folder + "/" + path
  }

  private static func line(_ path: String) -> String? {
    text(path)?.split(whereSeparator: \.isNewline).first
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  private static func text(_ path: String) -> String? {
    guard FileStatus(path, followsLink: true) == .file,
      let handle = FileHandle(forReadingAtPath: path)
    else { return nil }
    defer { try? handle.close() }
    guard let data = try? handle.read(upToCount: sizeLimit + 1), data.count <= sizeLimit else {
      return nil
    }
    return String(decoding: data, as: UTF8.self)
  }
}
