import AtRestAuditModel
import AtRestAuditResources

extension RuleID {
  static let coreDataSensitiveAttribute = RuleID("core-data-sensitive-attribute")
}

/// Attribute of a data model that holds a secret.
enum CoreDataSensitiveAttribute: CodeRule {
  static let rule = Rule(
    .coreDataSensitiveAttribute, "Attribute of a data model that holds a secret",
    severity: .medium, level: .required,
    consequence:
      "Core Data keeps the attribute in a database in clear: who has a backup or the "
      + "device's files reads it there.",
    remedy:
      "Keep the value in the keychain, or make the attribute a Transformable whose value "
      + "transformer encrypts it with a key from there.",
    references: .database,
    bad: .init(
      "Model.xcdatamodel/contents",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Account" representedClassName="Account">
          <attribute name="password" optional="YES" attributeType="String"/>
        </entity>
      </model>
      """),
    good: .init(
      "Model.xcdatamodel/contents",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Account" representedClassName="Account">
          <attribute name="password" optional="YES" attributeType="Transformable"
            valueTransformerName="EncryptingTransformer"/>
        </entity>
      </model>
      """))
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
}

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
