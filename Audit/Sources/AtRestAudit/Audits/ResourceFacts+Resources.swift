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
  init(_ resources: ProjectResources, secrets: [[Finding]]) {
    self.init()
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
}
