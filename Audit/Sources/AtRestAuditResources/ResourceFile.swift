import AtRestAuditModel
import AtRestFormats
import Foundation

/// A parsed file of a project that is not source code.
package enum ResourceFile: Sendable {
  case interface(InterfaceFile)
  case propertyList(PropertyList)
  case dataModel(DataModel)
  case project(XcodeProject)
  case configuration(XCConfig)
  case lock(LockFile)
  case key(KeyFile)
  case page(PageFile)

  /// Returns true if ``read(_:path:)`` reads files with this path.
  package static func isResource(_ path: String) -> Bool { kind(of: path) != nil }

  /// Reads a file in the format that its name shows, or returns nil if the name shows none.
  package static func read(_ data: Data, path: String) -> ResourceFile? {
    switch kind(of: path) {
    case .interface: .interface(InterfaceFile.read(data, path: path))
    case .propertyList: .propertyList(PropertyList.read(data, path: path))
    case .dataModel: .dataModel(DataModel.read(data, path: path))
    case .project: .project(XcodeProject.read(data, path: path))
    case .configuration: .configuration(XCConfig.read(data, path: path))
    case .lock: .lock(LockFile.read(data, path: path))
    case .key: .key(KeyFile.read(data, path: path))
    case .page: .page(PageFile.read(data, path: path))
    case nil: nil
    }
  }

  /// The parts of the file that could not be read.
  package var skipped: [Skip] {
    switch self {
    case .interface(let file): file.skipped
    case .propertyList(let file): file.skipped
    case .dataModel(let file): file.skipped
    case .project(let file): file.skipped
    case .configuration(let file): file.skipped
    case .lock(let file): file.skipped
    case .key, .page: []
    }
  }

  private enum Kind {
    case interface, propertyList, dataModel, project, configuration, lock, key, page
  }

  private static func kind(of path: String) -> Kind? {
    let name = ResourcePath.name(of: path)
    switch name {
    case "project.pbxproj": return .project
    case "Podfile.lock", "Package.resolved", "Cartfile.resolved": return .lock
    case "contents":
      return ResourcePath.folder(of: path).hasSuffix(".xcdatamodel") ? .dataModel : nil
    // Image catalogues, and files of tools and of packages in other languages.
    case "Contents.json", "package.json", "package-lock.json", "tsconfig.json", "composer.json",
      "xcschememanagement.plist", "IDEWorkspaceChecks.plist", "WorkspaceSettings.xcsettings":
      return nil
    default: break
    }
    switch ResourcePath.ending(of: path) {
    case "xib", "storyboard": return .interface
    case "plist", "entitlements", "xcprivacy", "strings", "stringsdict", "json":
      return .propertyList
    case "xcconfig": return .configuration
    case "html", "htm", "xhtml": return .page
    default: return KeyFile.isKeyFile(path) ? .key : nil
    }
  }
}
