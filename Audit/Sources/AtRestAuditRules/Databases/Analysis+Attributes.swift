import AtRestAuditAnalysis
import AtRestAuditModel

/// The attributes of Core Data that the code fills, each as `Class.attribute`.
package struct AttributeUse: Sendable {
  /// The attributes that the code only fills with protected values, or decrypts when it reads them.
  package var protected: Set<String> = []
  /// The attributes in which the code stores a value that is not protected.
  package var plain: Set<String> = []

  package init() {}
}

extension Analysis {
  /// Returns what the code stores in the attributes of the models.
  package func attributeUse(in models: [(type: String, attribute: String)]) -> AttributeUse {
    let inspector = Inspector(project: project)
    let decrypted = models.isEmpty ? [] : namesOfDecrypted
    var use = AttributeUse()
    var seen: Set<String> = []
    for (type, attribute) in models {
      // A model has the same attributes in most of its versions.
      let name = "\(type).\(attribute)"
      guard seen.insert(name).inserted, SensitiveKind.ofName(attribute) != nil else { continue }
      let values = inspector.values(storedIn: attribute, of: type).filter {
        !inspector.isEmpty($0.value)
      }
      if decrypted.contains(attribute)
        || !values.isEmpty && values.allSatisfy({ inspector.isProtected($0.value, in: $0.scope) })
      {
        use.protected.insert(name)
      } else if !values.isEmpty {
        use.plain.insert(name)
      }
    }
    return use
  }

  /// The names of what the code decrypts when it reads it: `privateKey` in `decrypt(account.privateKey)` and
  /// in `let encryptedKey = row["privateKey"]`.
  private var namesOfDecrypted: Set<String> {
    func read(_ value: Expression) -> String? {
      switch value.bare.kind {
      case .member(_, let name): name
      case .cast(let inner, _): read(inner)
      case .binary(let left, "??", _): read(left)
      case .index(_, let arguments): arguments.first?.value.literal
      default: nil
      }
    }
    func isEncrypted(_ name: String) -> Bool {
      name.contains("ncrypted") && Words.split(name).contains("encrypted")
    }
    var found: Set<String> = []
    for scope in project.scopes.joined() {
      for call in scope.calls {
        let opens =
          call.name.contains("ecrypt")
          && Words.split(call.name).contains { $0.hasPrefix("decrypt") }
        for (index, argument) in call.arguments.enumerated() {
          let label = argument.label ?? ""
          // `decrypt(data, password: user.password)` does not decrypt the password.
          guard isEncrypted(label) || opens && index == 0 && SensitiveKind.ofName(label) == nil,
            let name = read(argument.value)
          else { continue }
          found.insert(name)
        }
      }
      for (name, bindings) in scope.bindings where isEncrypted(name) {
        found.formUnion(bindings.compactMap { read($0.value) })
      }
    }
    return found
  }
}
