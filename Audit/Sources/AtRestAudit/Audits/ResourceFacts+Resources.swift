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
        if let name = entity.representedClassName {
          entities[name.split(separator: ".").last.map(String.init) ?? name] = attributes
        }
      }
    }
    for lock in resources.locks {
      for dependency in lock.dependencies { dependencies.insert(dependency.name.lowercased()) }
    }
    for (list, secrets) in zip(resources.propertyLists, secrets) where !secrets.isEmpty {
      filesWithSecrets.insert(ResourcePath.name(of: list.path))
    }
  }
}
