import AtRestFormats
import Foundation

/// A Core Data model: the entities of an `.xcdatamodel` and their attributes.
package struct DataModel: Sendable {
  package let path: String
  package let entities: [Entity]
  package let skipped: [Skip]

  package init(path: String, entities: [Entity], skipped: [Skip] = []) {
    self.path = path
    self.entities = entities
    self.skipped = skipped
  }

  package struct Entity: Sendable {
    package let name: String
    /// The class that represents it in code.
    package let representedClassName: String?
    package let location: Location
    package let attributes: [Attribute]

    /// The class that represents it in code, without its module.
    package var className: String {
      representedClassName?.split(separator: ".").last.map(String.init) ?? name
    }
  }

  package struct Attribute: Sendable {
    package let name: String
    /// The type as written, such as `String`, `Binary` or `Integer 64`.
    package let type: String
    package let location: Location
    /// True if large values are stored in files beside the database.
    package let allowsExternalStorage: Bool
    /// The value transformer of a `Transformable` attribute.
    package let transformer: String?
    package let defaultValue: String?
    /// The place where the default value is written.
    package let defaultLocation: Location?
  }

  /// Reads the `contents` of an `.xcdatamodel`.
  package static func read(_ data: Data, path: String) -> DataModel {
    let tree = XMLTree.read(data, path: path)
    guard let root = tree.root, root.name == "model" else {
      let skip = Skip(path: path, line: 1, reason: "This is not a Core Data model.")
      return DataModel(path: path, entities: [], skipped: tree.skipped + [skip])
    }
    let entities = root.children.filter { $0.name == "entity" }.map { entity in
      Entity(
        name: entity.attribute("name") ?? "",
        representedClassName: entity.attribute("representedClassName"), location: entity.location,
        attributes: entity.children.filter { $0.name == "attribute" }.map { attribute in
          Attribute(
            name: attribute.attribute("name") ?? "",
            type: attribute.attribute("attributeType") ?? "", location: attribute.location,
            allowsExternalStorage: attribute.attribute("allowsExternalBinaryDataStorage") == "YES",
            transformer: attribute.attribute("valueTransformerName")?.nonEmpty,
            defaultValue: attribute.attribute("defaultValueString"),
            defaultLocation: attribute.location(ofAttribute: "defaultValueString"))
        })
    }
    return DataModel(path: path, entities: entities, skipped: tree.skipped)
  }
}
