import AtRestFormats

/// The place on the web where people read the audited code, at the audited commit.
public struct Repository: Hashable, Sendable {
  public enum Service: String, Sendable {
    case github, gitlab, bitbucket
    /// Codeberg and other servers that run Forgejo or Gitea.
    case forgejo
  }

  public let service: Service
  /// The address of the repository without a user name or password: `https://github.com/o/r`.
  public let address: String
  /// The commit in hexadecimal.
  public let commit: String
  /// The audited folder within the repository, or an empty string for the whole repository.
  public let folder: String

  /// Creates the place from the address of a remote in any of git's forms. Returns nil if it is not
  /// known how the server's links look.
  public init?(remote: String, commit: String, folder: String = "") {
    guard commit.utf8.count >= 40, commit.allSatisfy(\.isHexDigit),
      let (host, path) = Self.parts(of: remote), let service = Self.service(of: host)
    else { return nil }
    self.service = service
    address = "https://\(host)/\(path)"
    self.commit = commit
    self.folder = folder
  }

  /// Returns the host and the path of a remote: `git@host:o/r.git`, `https://user@host/o/r`. What
  /// precedes an `@` can be a password, and is left out.
  private static func parts(of remote: String) -> (host: String, path: String)? {
    var rest = remote[...]
    if let scheme = rest.range(of: "://") {
      guard ["https", "http", "ssh", "git", "git+ssh"].contains(rest[..<scheme.lowerBound]) else {
        return nil
      }
      rest = rest[scheme.upperBound...]
    } else {
      // `host:path`, but neither `C:\path` nor `/path`.
      guard let colon = rest.firstIndex(of: ":"),
        let slash = rest.firstIndex(of: "/"), colon < slash
      else { return nil }
      rest = rest[..<colon] + "/" + rest[rest.index(after: colon)...]
    }
    guard let slash = rest.firstIndex(of: "/") else { return nil }
    var host = rest[..<slash]
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    host = host.prefix { $0 != ":" }
    var path = rest[rest.index(after: slash)...]
    while path.hasSuffix("/") { path.removeLast() }
    if path.hasSuffix(".git") { path = path.dropLast(4) }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count >= 2, !host.isEmpty,
      (parts + [host]).allSatisfy({ part in
        !part.isEmpty && part != ".." && part.utf8.allSatisfy(isPlain)
      })
    else { return nil }
    return (host.lowercased(), String(path))
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: "-._~".utf8.contains(byte)
    }
  }

  private static func service(of host: String) -> Service? {
    switch host {
    case "github.com": .github
    case "gitlab.com": .gitlab
    case "bitbucket.org": .bitbucket
    case "codeberg.org": .forgejo
    case _ where host.hasPrefix("github."): .github
    case _ where host.hasPrefix("gitlab."): .gitlab
    default: nil
    }
  }

  /// The link to lines of a file below the audited folder.
  public func link(to location: Location) -> String {
    let path = folder.isEmpty ? location.path : "\(folder)/\(location.path)"
    let file = Self.escaped(path)
    let first = max(location.start.line, 1)
    let last = max(location.end.line, first)
    return switch service {
    case .github:
      "\(address)/blob/\(commit)/\(file)#L\(first)" + (last > first ? "-L\(last)" : "")
    case .gitlab:
      "\(address)/-/blob/\(commit)/\(file)#L\(first)" + (last > first ? "-\(last)" : "")
    case .bitbucket:
      "\(address)/src/\(commit)/\(file)#lines-\(first)" + (last > first ? ":\(last)" : "")
    case .forgejo:
      "\(address)/src/commit/\(commit)/\(file)#L\(first)" + (last > first ? "-L\(last)" : "")
    }
  }

  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      if isPlain(byte) || byte == UInt8(ascii: "/") {
        bytes.append(byte)
      } else {
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
