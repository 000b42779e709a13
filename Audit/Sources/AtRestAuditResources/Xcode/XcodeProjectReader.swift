import AtRestAuditModel
import AtRestFormats
import Foundation

extension XcodeProject {
  /// Reads a `project.pbxproj`.
  package static func read(_ data: Data, path: String) -> XcodeProject {
    var reader = XcodeProjectReader(list: PropertyList.read(data, path: path))
    return reader.read()
  }
}

/// Turns the objects of a project file, which refer to each other, into targets and their files.
struct XcodeProjectReader {
  private typealias Node = PropertyList.Node

  private let list: PropertyList
  private var objects: [String: Object] = [:]
  private var skipped: [Skip]
  /// The paths of files, by the identifiers of their references.
  private var paths: [String: String] = [:]
  /// The identifiers of the files in a group of variants or versions, by the group's identifier.
  private var parts: [String: [String]] = [:]
  private var members: [String: [XcodeProject.Member]] = [:]
  private var folders: [XcodeProject.Folder] = []
  private var budget = 1_000_000

  /// An object with its values by key, because a property list is searched entry by entry.
  private struct Object {
    let values: [String: PropertyList.Node]

    var isa: String { self["isa"] ?? "" }

    subscript(key: String) -> String? { values[key]?.string }

    func list(_ key: String) -> [String] { values[key]?.strings ?? [] }
  }

  init(list: PropertyList) {
    self.list = list
    skipped = list.skipped
  }

  mutating func read() -> XcodeProject {
    for entry in list.root?["objects"]?.entries ?? [] {
      guard let values = entry.node.entries else { continue }
      objects[entry.key] = Object(
        values: Dictionary(values.map { ($0.key, $0.node) }, uniquingKeysWith: { $1 }))
    }
    guard let project = list.root?["rootObject"]?.string.flatMap({ objects[$0] }) else {
      skipped.append(Skip(path: list.path, line: 1, reason: "The project has no root object."))
      return whole([], [])
    }
    let root = ResourcePath.join(
      ResourcePath.folder(of: ResourcePath.folder(of: list.path)), project["projectDirPath"] ?? "")
    if let group = project["mainGroup"] { walk(group, folder: root, root: root, depth: 0) }
    var targets: [XcodeProject.Target] = []
    for id in project.list("targets") {
      guard let object = objects[id] else { continue }
      let index = targets.count
      let target = target(object, root: root)
      targets.append(target)
      addMembers(of: object, id: id, index: index)
      for configuration in target.configurations {
        for name in ["INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"] {
          guard let path = configuration.settings[name]?.nonEmpty else { continue }
          let place = ResourcePath.join(root, Self.withoutRoot(path))
          if members[place]?.contains(where: { $0.target == index && $0.role == .setting }) != true
          {
            members[place, default: []].append(XcodeProject.Member(target: index, role: .setting))
          }
        }
      }
    }
    return whole(targets, configurations(project["buildConfigurationList"], root: root))
  }

  private func whole(
    _ targets: [XcodeProject.Target], _ configurations: [XcodeProject.Configuration]
  ) -> XcodeProject {
    XcodeProject(
      path: list.path, targets: targets, configurations: configurations, skipped: skipped,
      members: members, folders: folders)
  }

  private static func withoutRoot(_ path: String) -> String {
    for prefix in ["$(SRCROOT)/", "$(PROJECT_DIR)/", "${SRCROOT}/", "${PROJECT_DIR}/"]
    where path.hasPrefix(prefix) {
      return String(path.dropFirst(prefix.count))
    }
    return path
  }

  // MARK: Groups

  /// Records the paths of the files in a group. Each group is visited once, even if it contains
  /// itself.
  private mutating func walk(_ id: String, folder: String, root: String, depth: Int) {
    budget -= 1
    guard let object = objects[id], budget > 0 else { return }
    guard depth < 100 else {
      if !skipped.contains(where: { $0.reason == Self.tooDeep }) {
        skipped.append(Skip(path: list.path, reason: Self.tooDeep))
      }
      return
    }
    let base: String?
    switch object["sourceTree"] {
    case "<group>", nil: base = folder
    case "SOURCE_ROOT": base = root
    default: base = nil
    }
    guard let base else { return }
    let place = object["path"].map { ResourcePath.join(base, $0) } ?? base
    guard paths[id] == nil else { return }
    paths[id] = place
    let children = object.list("children")
    switch object.isa {
    case "PBXVariantGroup", "XCVersionGroup": parts[id] = children
    default: break
    }
    for child in children { walk(child, folder: place, root: root, depth: depth + 1) }
  }

  private static let tooDeep = "Groups nested deeper than 100 are left out."

  // MARK: Targets

  private func target(_ object: Object, root: String) -> XcodeProject.Target {
    let type = object["productType"] ?? ""
    let kind: XcodeProject.Target.Kind =
      switch type {
      case "com.apple.product-type.application", "com.apple.product-type.application.watchapp2",
        "com.apple.product-type.application.watchapp",
        "com.apple.product-type.application.on-demand-install-capable",
        "com.apple.product-type.application.messages":
        .application
      case let type where type.contains("test"): .test
      case let type where type.contains("extension") || type.contains("xpc-service"): .appExtension
      case let type where type.contains("framework"): .framework
      case let type where type.contains("library"): .library
      case let type where type.contains("tool"): .tool
      default: .other
      }
    return XcodeProject.Target(
      name: object["name"] ?? "", kind: kind, productType: type,
      configurations: configurations(object["buildConfigurationList"], root: root))
  }

  private func configurations(_ id: String?, root: String) -> [XcodeProject.Configuration] {
    guard let object = id.flatMap({ objects[$0] }) else { return [] }
    return object.list("buildConfigurations").compactMap { objects[$0] }.map { configuration in
      let entries = configuration.values["buildSettings"]?.entries ?? []
      let settings = entries.map { ($0.key, $0.node.strings.joined(separator: " ")) }
      var base = configuration["baseConfigurationReference"].flatMap { paths[$0] }
      if base == nil, let anchor = configuration["baseConfigurationReferenceAnchor"],
        let path = configuration["baseConfigurationReferenceRelativePath"]
      {
        base = paths[anchor].map { ResourcePath.join($0, path) }
      }
      return XcodeProject.Configuration(
        name: configuration["name"] ?? "",
        settings: Dictionary(settings, uniquingKeysWith: { $1 }),
        positions: Dictionary(
          entries.filter { $0.key.hasPrefix("INFOPLIST_KEY_") }.map { ($0.key, $0.position) },
          uniquingKeysWith: { $1 }),
        base: base)
    }
  }

  private mutating func addMembers(of target: Object, id: String, index: Int) {
    for phase in target.list("buildPhases").compactMap({ objects[$0] }) {
      let role: XcodeProject.Role
      switch phase.isa {
      case "PBXSourcesBuildPhase": role = .source
      case "PBXResourcesBuildPhase", "PBXCopyFilesBuildPhase": role = .resource
      default: continue
      }
      for file in phase.list("files") {
        guard let reference = objects[file]?["fileRef"] else { continue }
        add(reference, index: index, role: role)
        for part in parts[reference] ?? [] { add(part, index: index, role: role) }
      }
    }
    let own = Set(target.list("fileSystemSynchronizedGroups"))
    for (group, place) in paths where objects[group]?.isa == Self.synchronized {
      var exceptions: Set<String> = []
      for exception in objects[group]?.list("exceptions").compactMap({ objects[$0] }) ?? []
      where exception["target"] == id {
        exceptions.formUnion(exception.list("membershipExceptions"))
      }
      if own.contains(group) {
        folders.append(
          XcodeProject.Folder(
            path: place, target: index, isSynchronized: true, exceptions: exceptions))
      } else {
        // If the folder belongs to another target, the exceptions are the files of this target.
        for path in exceptions {
          members[ResourcePath.join(place, path), default: []].append(
            XcodeProject.Member(target: index, role: path.hasSuffix(".swift") ? .source : .resource)
          )
        }
      }
    }
  }

  private static let synchronized = "PBXFileSystemSynchronizedRootGroup"

  private mutating func add(_ reference: String, index: Int, role: XcodeProject.Role) {
    guard let place = paths[reference] else { return }
    members[place, default: []].append(XcodeProject.Member(target: index, role: role))
    // The reference may name a folder: a bundle, a data model or a folder of resources.
    let type = objects[reference]?["lastKnownFileType"] ?? ""
    if type.hasPrefix("folder") || type.hasPrefix("wrapper") {
      folders.append(
        XcodeProject.Folder(path: place, target: index, isSynchronized: false, exceptions: []))
    } else if objects[reference]?.isa == "XCVersionGroup" {
      folders.append(
        XcodeProject.Folder(path: place, target: index, isSynchronized: false, exceptions: []))
    }
  }
}
