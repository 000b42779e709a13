import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let swiftDataUnprotected = RuleID("swiftdata-unprotected")
}

/// Finds secrets and personal data in SwiftData.
enum SwiftDataUnprotected: CodeRule {
  static let rule = Rule(
    .swiftDataUnprotected, "Secret or personal data in SwiftData",
    severity: .medium, level: .required,
    consequence:
      "SwiftData stores its models in a database that is not encrypted. Anyone who has a "
      + "backup or the device's files can read them.",
    remedy:
      "Keep the value in the keychain and its identifier in the model, mark the property "
      + "@Transient, or encrypt the value with AES.GCM.seal and a key from the keychain.",
    references: .database,
    bad: .init(
      "Account.swift",
      """
      @Model final class Account {
        var user: String
        var password: String
        init(user: String, password: String) {
          self.user = user
          self.password = password
        }
      }
      """),
    good: .init(
      "Account.swift",
      """
      @Model final class Account {
        var user: String
        @Transient var password: String?
        init(user: String) { self.user = user }
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onType { type, file, pass in swiftData(type, file, pass) }
  }

  private static func swiftData(_ type: TypeDeclaration, _ file: SourceFile, _ pass: Pass) {
    guard type.attributes.contains(where: { $0.name == "Model" || $0.name == "SwiftData.Model" })
    else {
      return
    }
    for variable in type.variables where !variable.isStatic && variable.accessors.isEmpty {
      if variable.attributes.contains(where: { $0.name == "Transient" }) { continue }
      if let declared = variable.type, !pass.inspector.couldHold(declared, named: variable.name) {
        continue
      }
      if variable.attributes.contains(where: { protects($0) }) { continue }
      if let record = variable.type.flatMap({ StorageChecks.record($0, pass) }) {
        pass.report(
          .swiftDataUnprotected, at: variable.range, in: file,
          "\(record.description) is stored by SwiftData in the clear")
        continue
      }
      let name = variable.type?.hasPrefix("[") == true ? singular(variable.name) : variable.name
      guard let found = SensitiveKind.ofName(name), found != .personal,
        // A list of credentials can be one of documents.
        !found.isSecret || name == variable.name || pass.isCredible(variable.name, of: type.name)
      else { continue }
      pass.report(
        .swiftDataUnprotected, at: variable.range, in: file,
        "\(found.noun) (\(variable.name)) is stored by SwiftData in the clear")
    }
  }

  private static func singular(_ name: String) -> String {
    name.hasSuffix("s") && !name.hasSuffix("ss") ? String(name.dropLast()) : name
  }

  /// Returns true for `@Attribute(.ephemeral)`, and for a transformer that encrypts.
  private static func protects(_ attribute: Attribute) -> Bool {
    attribute.name == "Attribute"
      && attribute.arguments.contains { argument in
        if argument.value.lastName == "ephemeral" { return true }
        guard case .call(let callee, let inner) = argument.value.kind,
          callee.lastName == "transformable"
        else { return false }
        return inner.contains { Words.split($0.value.written).contains { $0.hasPrefix("encrypt") } }
      }
  }
}
