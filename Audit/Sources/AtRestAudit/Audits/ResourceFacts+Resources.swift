import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestAuditObjectiveC
import AtRestAuditResources
import AtRestAuditRules
import AtRestAuditSwift
import AtRestFormats
import Foundation

extension ResourceFacts {
  /// Collects the facts about resources that the code checks use.
  ///
  /// - Parameter secrets: The findings of secrets in each property list.
  init(
    _ resources: ProjectResources, secrets: [[Finding]], _ surroundings: Surroundings,
    isLibrary: Bool
  ) {
    self.init()
    isWhole = surroundings.isWhole && !isLibrary
    mentions = surroundings.mentions
    if isWhole { addBeginnings(resources) }
    hasApplication = resources.projects.contains { project in
      project.targets.contains { $0.kind == .application }
    }
    for interface in resources.interfaces {
      for field in interface.fields {
        let fact = Field(sensitivity: field.subject?.sensitivity, isSecure: field.isSecure)
        for outlet in field.outlets {
          guard let owner = outlet.owner ?? field.owner else { continue }
          fields["\(owner).\(outlet.name)"] = fact
        }
      }
    }
    for model in resources.dataModels {
      for entity in model.entities {
        let attributes = entity.attributes.map(\.name)
        entities[entity.name] = attributes
        entities[entity.className] = attributes
        for attribute in entity.attributes where attribute.type.hasPrefix("Integer") {
          integers.insert("\(entity.className).\(attribute.name)")
        }
      }
    }
    add(resources.propertyLists.filter { !resources.isTestOnly($0.path) })
    for lock in resources.locks {
      for dependency in lock.dependencies { dependencies.insert(dependency.name.lowercased()) }
    }
    for (list, secrets) in zip(resources.propertyLists, secrets) where !secrets.isEmpty {
      filesWithSecrets.insert(ResourcePath.name(of: list.path))
    }
  }

  /// Collects the groups, the URL schemes and the scenes that property lists declare.
  private mutating func add(_ lists: [PropertyList]) {
    let entitlements = lists.filter { ResourcePath.ending(of: $0.path) == "entitlements" }
    let groups = entitlements.flatMap {
      $0.root?["com.apple.security.application-groups"]?.strings ?? []
    }
    if !groups.isEmpty, !groups.contains(where: { $0.contains("$") }) { self.groups = Set(groups) }
    lacksGroups = !entitlements.isEmpty && groups.isEmpty
    // The lists of apps say how they start.
    let information = lists.compactMap(\.root).filter { root in
      ["UILaunchStoryboardName", "UILaunchScreen", "LSRequiresIPhoneOS"].contains {
        root[$0] != nil
      }
    }
    lacksURLSchemes =
      !information.isEmpty && information.allSatisfy { $0["CFBundleURLTypes"] == nil }
    declaresScenes =
      !information.isEmpty
      && information.allSatisfy {
        $0["UIApplicationSceneManifest"]?["UISceneConfigurations"]?[
          "UIWindowSceneSessionRoleApplication"] != nil
      }
  }

  /// Collects the scenes, and the names of types and scenes that files other than code mention.
  private mutating func addBeginnings(_ resources: ProjectResources) {
    interfaces = resources.interfaces.map { file in
      InterfaceFacts(
        path: file.path, name: ResourcePath.stem(of: file.path),
        scenes: file.scenes.map { scene in
          .init(
            keyClasses: scene.keyClasses, classes: scene.classes, identifier: scene.identifier,
            next: scene.next, references: scene.references.map { ($0.storyboard, $0.identifier) },
            start: scene.start)
        }, initial: file.initialScene)
    }
    for name in resources.interfaces.lazy.flatMap(\.members) {
      mentions.insert(CodeWords.hash(name))
    }
    func add(_ text: String) {
      // `$(PRODUCT_MODULE_NAME).SceneDelegate`
      let name = text.utf8.split(separator: UInt8(ascii: ".")).last ?? ""[...].utf8
      mentions.insert(CodeWords.hash(name))
      mentions.insert(CodeWords.hash(text))
    }
    func add(_ node: PropertyList.Node) {
      switch node.value {
      case .string(let text): if text.utf8.count < 200 { add(text) }
      case .array(let nodes): for node in nodes { add(node) }
      case .dictionary(let entries): for entry in entries { add(entry.node) }
      default: break
      }
    }
    for list in resources.propertyLists
    where !["strings", "stringsdict"].contains(ResourcePath.ending(of: list.path)) {
      if let root = list.root { add(root) }
    }
    for model in resources.dataModels {
      for entity in model.entities { add(entity.className) }
    }
    for project in resources.projects {
      for target in project.targets {
        for settings in target.configurations.map(\.settings) {
          for (key, value) in settings where key.hasPrefix("INFOPLIST_KEY_") { add(value) }
        }
      }
    }
  }
}
