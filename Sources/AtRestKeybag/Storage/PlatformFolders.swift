import Foundation

/// The folders that the platform assigns to programs.
///
/// On Linux they follow the XDG Base Directory Specification. An environment variable is ignored if
/// its value is not an absolute path.
package struct PlatformFolders {
  private let environment: @Sendable (String) -> String?

  package init(environment: [String: String]) { self.environment = { environment[$0] } }

  /// Uses the environment of this process.
  package init() { environment = { SystemPath.environment($0) } }

  /// The user's home folder: `HOME`, or the entry in the user database if `HOME` is not an absolute
  /// path.
  package var home: URL {
    folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
  }

  /// The folder for stores: `$XDG_DATA_HOME/atrest` or `~/.local/share/atrest`; on Apple's systems,
  /// `atrest` in Application Support.
  package var data: URL { base("XDG_DATA_HOME", ".local/share").appendingPathComponent("atrest") }

  /// The folder for data that belongs to this machine and is not copied to another:
  /// `$XDG_STATE_HOME/atrest` or `~/.local/state/atrest`; on Apple's systems, `atrest` in
  /// Application Support.
  package var state: URL { base("XDG_STATE_HOME", ".local/state").appendingPathComponent("atrest") }

  /// Returns a path in which a leading `~` is replaced by the home folder.
  package func expandingTilde(_ path: String) -> URL {
    let url =
      switch path {
      case "~": home
      case _ where path.hasPrefix("~/"): home.appendingPathComponent(String(path.dropFirst(2)))
      default:
        // `~name` means another user's home folder.
        path.hasPrefix("~")
          ? URL(fileURLWithPath: NSString(string: path).expandingTildeInPath, isDirectory: true)
          : SystemPath.url(path)
      }
    return url
  }

  private func base(_ variable: String, _ standard: String) -> URL {
    #if canImport(Darwin)
      FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask)[0]
    #else
      folder(variable) ?? home.appendingPathComponent(standard)
    #endif
  }

  private func folder(_ variable: String) -> URL? {
    guard let path = environment(variable), path.hasPrefix("/") else { return nil }
    return URL(fileURLWithPath: path, isDirectory: true)
  }
}
