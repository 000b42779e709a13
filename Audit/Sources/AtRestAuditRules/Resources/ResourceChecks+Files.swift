import AtRestAuditModel
import AtRestAuditResources

extension DataModel {
  /// Of the versions of a model the last by name, for the others are there to migrate from.
  static func latestVersions(_ models: [DataModel]) -> [DataModel] {
    var latest: [String: (version: [Int], path: String)] = [:]
    for model in models {
      guard let (bundle, version) = version(of: model.path) else { continue }
      if let known = latest[bundle], !known.version.lexicographicallyPrecedes(version) { continue }
      latest[bundle] = (version, model.path)
    }
    return models.filter { model in
      version(of: model.path).map { latest[$0.bundle]?.path == model.path } ?? true
    }
  }

  /// The bundle of versions, and the numbers in the name of this one: `Model 2.xcdatamodel`.
  private static func version(of path: String) -> (bundle: String, version: [Int])? {
    let model = ResourcePath.folder(of: path)
    let bundle = ResourcePath.folder(of: model)
    guard bundle.hasSuffix(".xcdatamodeld") else { return nil }
    let numbers = ResourcePath.name(of: model).split { !$0.isNumber }.map { Int($0) ?? 0 }
    return (bundle, numbers)
  }
}

extension ResourceChecks {
  /// Attributes of a Core Data model that hold secrets in the clear.
  package func findings(in model: DataModel) -> [Finding] {
    model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute -> Finding? in
        guard Self.holdsText(attribute), let sensitivity = Sensitivity.ofName(attribute.name),
          sensitivity != .personal, sensitivity != .location
        else { return nil }
        return Finding(
          rule: .coreDataSensitiveAttribute, severity: .medium, location: attribute.location,
          message:
            "The attribute “\(attribute.name)” of “\(entity.name)” keeps \(sensitivity.noun) in the "
            + "database as it is.",
          anchor: entity.name + "." + attribute.name)
      }
    }
  }

  private static func holdsText(_ attribute: DataModel.Attribute) -> Bool {
    switch attribute.type {
    case "String", "Binary": true
    case "Transformable": !(attribute.transformer?.lowercased().contains("crypt") ?? false)
    default: false
    }
  }

  /// A file with a private key that ships, or lies among what does.
  package func findings(in file: KeyFile, _ resources: ProjectResources) -> [Finding] {
    guard let content = file.content else { return [] }
    let ships = resources.ships(file.path)
    if !ships, resources.knowsTargets {
      let folder = ResourcePath.folder(of: file.path)
      guard resources.projects.contains(where: { $0.hasSources(under: folder) }) else { return [] }
    }
    let severity: Severity =
      switch content {
      case .privateKey: ships ? .high : .medium
      case .protectedKey, .keyStore: ships ? .medium : .low
      }
    return [
      Finding(
        rule: .bundledKeyFile, severity: severity,
        location: Self.location(file.path, from: file.position, to: file.position),
        message: "The file holds \(content.rawValue)" + (ships ? " and ships with the app." : "."),
        anchor: ResourcePath.name(of: file.path))
    ]
  }

  /// Pinned versions for which there are advisories.
  package func findings(in file: LockFile, _ advisories: AdvisoryDatabase) -> [Finding] {
    file.dependencies.flatMap { dependency in
      advisories.matches(for: dependency).map { match in
        let severity: Severity =
          switch match.advisory.databaseSpecific?.severity?.uppercased() {
          case "CRITICAL", "HIGH": .high
          case "LOW": .low
          default: .medium
          }
        let summary = match.advisory.summary.map { ": \($0)" } ?? ""
        let mended = match.mendedIn.map { " Mended in \($0)." } ?? ""
        return Finding(
          rule: .vulnerableDependency, severity: severity, location: dependency.location,
          message:
            "\(dependency.name) \(dependency.version ?? "") has \(match.advisory.id)\(summary).\(mended)",
          anchor: dependency.name + " " + match.advisory.id)
      }
    }
  }
}

extension XcodeProject {
  /// Whether a target that is no test compiles a file of this folder or below it.
  func hasSources(under folder: String) -> Bool {
    guard !folder.isEmpty else { return false }
    let prefix = folder + "/"
    return members.contains { path, roles in
      path.hasPrefix(prefix)
        && roles.contains { $0.role == .source && targets[$0.target].kind != .test }
    }
      || folders.contains {
        $0.isSynchronized && (folder == $0.path || folder.hasPrefix($0.path + "/"))
      }
  }
}
