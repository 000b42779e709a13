import AtRestAuditModel
import AtRestFormats

/// A project of Xcode: which file ships in which target, and the build settings of each configuration.
package struct XcodeProject: Sendable {
  /// The path of `project.pbxproj`.
  package let path: String
  package let targets: [Target]
  /// The project's own configurations, which those of the targets stand on.
  package let configurations: [Configuration]
  package let skipped: [Skip]
  /// Indices of targets by path, and the role that the file has in each.
  package let members: [String: [Member]]
  /// Folders whose whole contents belong to targets.
  package let folders: [Folder]

  package struct Target: Hashable, Sendable {
    package let name: String
    package let kind: Kind
    /// As it is written: `com.apple.product-type.application`.
    package let productType: String
    package let configurations: [Configuration]

    package enum Kind: String, Sendable {
      case application
      case appExtension = "extension"
      case framework, library, test, tool, other
    }
  }

  /// Build settings under a name: `Debug`, `Release`.
  package struct Configuration: Hashable, Sendable {
    package let name: String
    package let settings: [String: String]
    /// Where those settings stand in the project that become entries of an Info.plist.
    package let positions: [String: Position]
    /// The `.xcconfig` that it stands on.
    package let base: String?
  }

  /// What a target does with a file.
  package enum Role: Sendable { case source, resource, setting }

  package struct Member: Sendable {
    package let target: Int
    package let role: Role
  }

  package struct Folder: Sendable {
    package let path: String
    let target: Int
    /// Whether each file has the role that its name tells, as in a synchronized folder.
    package let isSynchronized: Bool
    /// Paths within the folder that do not belong to the target.
    let exceptions: Set<String>
  }

  /// Targets that compile, copy, or are set up by a file.
  package func targets(of path: String) -> [Target] {
    var found: Set<Int> = []
    return roles(of: path).compactMap { member in
      found.insert(member.target).inserted ? targets[member.target] : nil
    }
  }

  /// Whether tests alone have the file.
  package func isTestOnly(_ path: String) -> Bool {
    let targets = targets(of: path)
    return !targets.isEmpty && targets.allSatisfy { $0.kind == .test }
  }

  /// Whether the file is copied into a product that is no test.
  package func isResource(_ path: String) -> Bool {
    roles(of: path).contains { $0.role == .resource && targets[$0.target].kind != .test }
  }

  /// The value that a setting has for a target in a configuration, with what it stands on.
  ///
  /// - Parameter files: The project's `.xcconfig` files by path.
  package func setting(
    _ name: String, of target: Target?, configuration: String, files: [String: XCConfig] = [:]
  ) -> String? {
    let layers = [target?.configurations ?? [], configurations]
    for layer in layers {
      guard let found = layer.first(where: { $0.name == configuration }) else { continue }
      if let value = found.settings[name] { return value }
      if let base = found.base, let value = files[base]?.resolved(among: files)[name] {
        return value
      }
    }
    return nil
  }

  private func roles(of path: String) -> [Member] {
    var found = members[path] ?? []
    for folder in folders where path.hasPrefix(folder.path) {
      let rest = path.utf8.dropFirst(folder.path.utf8.count)
      guard folder.path.isEmpty || rest.first == UInt8(ascii: "/"),
        let inner = String(folder.path.isEmpty ? rest : rest.dropFirst()),
        !folder.excludes(inner)
      else { continue }
      let role: Role =
        folder.isSynchronized && Self.sourceEndings.contains(ResourcePath.ending(of: path))
        ? .source : .resource
      found.append(Member(target: folder.target, role: role))
    }
    return found
  }

  private static let sourceEndings: Set<String> = [
    "swift", "m", "mm", "c", "cc", "cpp", "h", "hpp", "metal", "s",
  ]
}

extension XcodeProject.Folder {
  fileprivate func excludes(_ inner: String) -> Bool {
    guard !exceptions.isEmpty else { return false }
    if exceptions.contains(inner) { return true }
    // An exception may be a folder.
    var end = inner.endIndex
    while let slash = inner[..<end].lastIndex(of: "/") {
      if exceptions.contains(String(inner[..<slash])) { return true }
      end = slash
    }
    return false
  }
}
