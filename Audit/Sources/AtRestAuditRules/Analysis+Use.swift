import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestFormats

extension Analysis {
  /// Returns true unless a mention is of a property or variable of the project's own:
  /// `draft.creationDate`.
  private func isAPI(_ name: String, _ place: Expression, _ scope: Scope) -> Bool {
    guard name == "creationDate" || name == "modificationDate" else { return true }
    guard case .member(let base, _) = place.kind else { return false }
    // `.creationDate` alone is a key of the attributes of a file.
    guard let base else { return true }
    let inspector = Inspector(project: project)
    if let type = inspector.type(of: base, in: scope).map(TypeName.plain) {
      return project.types[type] == nil
    }
    return !declares(name)
  }

  private func declares(_ name: String) -> Bool {
    project.types.values.contains { $0.variables[name] != nil }
  }

  /// The modules, names and API categories that the code uses, to compare with entitlements and
  /// the privacy manifest.
  package var use: CodeUse {
    var use = CodeUse()
    for module in project.imports {
      use.modules.insert(module.split { $0 == "/" || $0 == "." }.first.map(String.init) ?? module)
    }
    let categories = Dictionary(
      RequiredReason.allCases.flatMap { category in category.names.map { ($0, category) } },
      uniquingKeysWith: { first, _ in first })
    for scopes in project.scopes {
      for scope in scopes {
        for call in scope.calls {
          use.names.insert(call.name)
          for argument in call.arguments {
            if let label = argument.label { use.names.insert(label) }
          }
        }
        for (name, places) in scope.mentions {
          use.names.insert(name)
          if let category = categories[name],
            let place = places.first(where: { isAPI(name, $0, scope) })
          {
            use.categories[category, default: []].append(scope.location(of: place.range))
          }
        }
      }
    }
    for facts in project.types.values {
      use.names.formUnion(facts.inherited)
      for declaration in facts.declarations {
        for function in declaration.type.functions {
          use.names.formUnion(function.parameters.compactMap(\.label))
        }
        for variable in declaration.type.variables {
          for attribute in variable.attributes where attribute.name == "AppStorage" {
            let position = declaration.file.lines.position(of: variable.nameOffset)
            use.categories[.userDefaults, default: []].append(
              Location(path: declaration.file.path, start: position, end: position))
          }
        }
      }
    }
    return use
  }
}
