import AtRestAuditModel
import AtRestFormats

/// All files of a project that are not source code, and which of them ship.
package struct ProjectResources: Sendable {
  package let interfaces: [InterfaceFile]
  package let propertyLists: [PropertyList]
  package let dataModels: [DataModel]
  package let projects: [XcodeProject]
  package let configurations: [XCConfig]
  package let locks: [LockFile]
  package let keys: [KeyFile]
  /// The pages of HTML that ask for a password.
  package let pages: [PageFile]
  /// The parts of all files that could not be read.
  package let skipped: [Skip]

  package init(_ files: [ResourceFile]) {
    var interfaces: [InterfaceFile] = []
    var propertyLists: [PropertyList] = []
    var dataModels: [DataModel] = []
    var projects: [XcodeProject] = []
    var configurations: [XCConfig] = []
    var locks: [LockFile] = []
    var keys: [KeyFile] = []
    var pages: [PageFile] = []
    for file in files {
      switch file {
      case .interface(let file): interfaces.append(file)
      case .propertyList(let file): propertyLists.append(file)
      case .dataModel(let file): dataModels.append(file)
      case .project(let file): projects.append(file)
      case .configuration(let file): configurations.append(file)
      case .lock(let file): locks.append(file)
      case .key(let file): keys.append(file)
      case .page(let file): if !file.passwordFields.isEmpty { pages.append(file) }
      }
    }
    self.interfaces = interfaces
    self.propertyLists = propertyLists
    self.dataModels = dataModels
    self.projects = projects
    self.configurations = configurations
    self.locks = locks
    self.keys = keys
    self.pages = pages
    skipped = files.flatMap(\.skipped)
  }

  /// The paths of the files that rules look at, apart from projects and lock files.
  package var all: [String] {
    interfaces.map(\.path) + propertyLists.map(\.path) + dataModels.map(\.path)
      + configurations.map(\.path) + keys.map(\.path) + pages.map(\.path)
  }

  /// Returns true if only tests use the file. The projects' targets decide, or the file's folder if
  /// the file is in no target. Mocks, fixtures and stubs count as tests.
  package func isTestOnly(_ path: String) -> Bool {
    var isKnown = false
    for project in projects {
      let targets = project.targets(of: path)
      if targets.isEmpty { continue }
      if targets.contains(where: { $0.kind != .test }) { return Self.isStandIn(path) }
      isKnown = true
    }
    return isKnown || Self.isStandIn(path)
      || path.split(separator: "/").dropLast().contains(where: Self.isTestFolder)
  }

  /// Returns true if the targets of the projects say that only tests compile the file.
  package func isTestCode(_ path: String) -> Bool {
    let targets = projects.flatMap { $0.targets(of: path) }
    return !targets.isEmpty && targets.allSatisfy { $0.kind == .test }
  }

  /// Returns true if only tools compile the file, in a project that has an app.
  package func isToolCode(_ path: String) -> Bool {
    let targets = projects.flatMap { $0.targets(of: path) }
    return !targets.isEmpty && targets.allSatisfy { $0.kind == .tool || $0.kind == .test }
      && projects.contains { project in project.targets.contains { $0.kind == .application } }
  }

  /// Returns true if a property list is the Info.plist of a product, but no target is built with it.
  package func isUnused(_ list: PropertyList) -> Bool {
    guard ResourcePath.ending(of: list.path) == "plist",
      list.root?["CFBundleIdentifier"] != nil || list.root?["CFBundleName"] != nil,
      !projects.isEmpty, projects.allSatisfy(\.namesInformation)
    else { return false }
    return !projects.contains { $0.isSetting(list.path) }
  }

  /// Returns true if all targets that build the file are for one platform: `appletv`, `macosx`.
  package func isOnly(for platform: String, _ path: String) -> Bool {
    let files = Dictionary(configurations.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    let platforms = projects.flatMap { project in
      project.targets(of: path).filter { $0.kind != .test }.map { target in
        (target.configurations.last?.name).flatMap { name in
          project.setting("SUPPORTED_PLATFORMS", of: target, configuration: name, files: files)
            ?? project.setting("SDKROOT", of: target, configuration: name, files: files)
        } ?? ""
      }
    }
    return !platforms.isEmpty
      && platforms.allSatisfy { $0.hasPrefix(platform) && !$0.contains("iphone") }
  }

  /// Returns true if a project copies the file into a product other than a test.
  package func ships(_ path: String) -> Bool { projects.contains { $0.isResource(path) } }

  /// True if a project has targets. In that case, a file that is in no target is known not to ship.
  package var knowsTargets: Bool { projects.contains { !$0.targets.isEmpty } }

  private static func isTestFolder(_ name: Substring) -> Bool {
    let words = Words.split(String(name))
    return words.last.map { ["test", "tests", "testing"].contains($0) } ?? false
  }

  /// Returns true if the file stands in for a server's response, and ships in debug builds at most.
  private static func isStandIn(_ path: String) -> Bool {
    let name = Words.split(ResourcePath.name(of: path))
    if name.contains("debug") || name.contains(where: standIns.contains)
      || name.contains("test") && name.contains("data")
    {
      return true
    }
    return path.split(separator: "/").dropLast().contains { folder in
      Words.split(String(folder)).contains(where: standIns.contains)
    }
  }

  private static let standIns: Set<String> = [
    "mock", "mocks", "mocked", "fixture", "fixtures", "stub", "stubs", "stubbed",
  ]
}
