import AtRestAuditModel
import AtRestFormats

/// An Xcode project: the files of each target, and the build settings of each configuration.
package struct XcodeProject: Sendable {
  /// The path of `project.pbxproj`.
  package let path: String
  package let targets: [Target]
  /// The project's own configurations, on which the configurations of the targets are based.
  package let configurations: [Configuration]
  package let skipped: [Skip]
  /// The targets of each file by path, with the role that the file has in each target.
  package let members: [String: [Member]]
  /// The folders whose whole contents belong to targets.
  package let folders: [Folder]
  /// The paths of the files that targets list as sources, made anew for each call.
  package var sources: [String] {
    members.filter { $0.value.contains { $0.role == .source } }.map(\.key)
  }

  package struct Target: Hashable, Sendable {
    package let name: String
    package let kind: Kind
    /// The product type as written, such as `com.apple.product-type.application`.
    package let productType: String
    package let configurations: [Configuration]

    package enum Kind: String, Sendable {
      case application
      case appExtension = "extension"
      case framework, library, test, tool, other
    }
  }

  /// Build settings under a name, such as `Debug` or `Release`.
  package struct Configuration: Hashable, Sendable {
    package let name: String
    package let settings: [String: String]
    /// The positions in the project of the settings that become entries of an Info.plist.
    package let positions: [String: Position]
    /// The `.xcconfig` file on which the configuration is based.
    package let base: String?
  }

  /// The use that a target makes of a file.
  package enum Role: Sendable { case source, resource, setting }

  package struct Member: Sendable {
    package let target: Int
    package let role: Role
  }

  package struct Folder: Sendable {
    package let path: String
    let target: Int
    /// True if the name of each file determines its role, as in a synchronized folder.
    package let isSynchronized: Bool
    /// The paths within the folder that do not belong to the target.
    let exceptions: Set<String>
  }

  /// Returns the targets that compile or copy a file, or that the file configures.
  package func targets(of path: String) -> [Target] {
    var found: Set<Int> = []
    return roles(of: path).compactMap { member in
      found.insert(member.target).inserted ? targets[member.target] : nil
    }
  }

  /// Returns true if the file is in a target, and all its targets are tests.
  package func isTestOnly(_ path: String) -> Bool {
    let targets = targets(of: path)
    return !targets.isEmpty && targets.allSatisfy { $0.kind == .test }
  }

  /// Returns true if the file is copied into a product other than a test.
  package func isResource(_ path: String) -> Bool {
    roles(of: path).contains { $0.role == .resource && targets[$0.target].kind != .test }
  }

  /// Returns true if a target names the file in a build setting, such as its Info.plist.
  package func isSetting(_ path: String) -> Bool {
    if roles(of: path).contains(where: { $0.role == .setting }) { return true }
    // A Mac finds the file in other letters, too.
    let lower = path.lowercased()
    return members.contains { other, members in
      members.contains { $0.role == .setting } && other.lowercased() == lower
    }
  }

  /// True if each app and extension names its Info.plist in the project, so that any other is not
  /// built.
  package var namesInformation: Bool {
    let products = targets.filter { $0.kind == .application || $0.kind == .appExtension }
    return !products.isEmpty
      && products.allSatisfy { target in
        target.configurations.contains {
          guard let path = $0.settings["INFOPLIST_FILE"] else { return false }
          return !path.isEmpty && !path.dropFirst(2).contains("$")
        }
      }
  }

  /// Returns the value of a setting for a target in a configuration, or nil if the setting has
  /// none. The value may be inherited from the project's configuration or from an `.xcconfig` file.
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
