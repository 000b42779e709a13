import AtRestAuditModel
import AtRestAuditResources

extension RuleID {
  static let coreDataSensitiveAttribute = RuleID("core-data-sensitive-attribute")
}

/// Finds attributes of Core Data models that hold secrets.
enum CoreDataSensitiveAttribute: CodeRule {
  static let rule = Rule(
    .coreDataSensitiveAttribute, "Core Data attribute that holds a secret",
    severity: .medium, level: .required,
    consequence:
      "Core Data stores the attribute in a database that is not encrypted. Anyone who has a "
      + "backup or the device's files can read it.",
    remedy:
      "Keep the value in the keychain, or make the attribute a Transformable whose value "
      + "transformer encrypts it with a key from the keychain.",
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
  /// Returns a finding for each attribute of a Core Data model that holds a secret in the clear.
  ///
  /// The name of an attribute alone does not show that the value is not encrypted: the finding is low
  /// unless the code stores a value there that it does not encrypt.
  package func findings(in model: DataModel, use: AttributeUse = AttributeUse()) -> [Finding] {
    model.entities.flatMap { entity in
      entity.attributes.compactMap { attribute -> Finding? in
        guard Self.holdsText(attribute), let sensitivity = SensitiveKind.ofName(attribute.name),
          sensitivity != .personal, sensitivity != .location,
          !use.protected.contains("\(entity.className).\(attribute.name)")
        else { return nil }
        return Finding(
          rule: .coreDataSensitiveAttribute,
          severity: WeakNames.contains(attribute.name)
            || !use.plain.contains("\(entity.className).\(attribute.name)") ? .low : .medium,
          location: attribute.location,
          message:
            "The attribute “\(attribute.name)” of “\(entity.name)” stores \(sensitivity.noun) in "
            + "the database in the clear.",
          anchor: entity.name + "." + attribute.name, secrets: Self.secrets(in: attribute))
      }
    }
  }

  /// The default value, which is as sensitive as the attribute.
  private static func secrets(in attribute: DataModel.Attribute) -> [Finding.Secret] {
    guard let value = attribute.defaultValue, let location = attribute.defaultLocation,
      LiteralSecret.isLiteral(value, named: attribute.name)
    else { return [] }
    return [Finding.Secret(value, at: location)]
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
  /// Returns the latest version of each model, by its name. Earlier versions are needed only for
  /// migration.
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

  /// Returns the bundle that contains a model's versions, and the numbers in the name of this
  /// version: 2 for `Model 2.xcdatamodel`. Returns nil for a model without versions.
  private static func version(of path: String) -> (bundle: String, version: [Int])? {
    let model = ResourcePath.folder(of: path)
    let bundle = ResourcePath.folder(of: model)
    guard bundle.hasSuffix(".xcdatamodeld") else { return nil }
    let numbers = ResourcePath.name(of: model).split { !$0.isNumber }.map { Int($0) ?? 0 }
    return (bundle, numbers)
  }
}
