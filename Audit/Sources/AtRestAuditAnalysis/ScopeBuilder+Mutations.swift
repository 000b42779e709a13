import AtRestAuditModel

extension ScopeBuilder {
  /// Records what a call adds to its receiver, or to a property of it.
  func note(mutation call: Scope.Call, in scope: Scope) {
    guard let first = call.arguments.first?.value, let receiver = call.receiver else { return }
    if let (target, value) = call.publication {
      note(assignment: call.expression, target, "=", value, in: scope)
      return
    }
    var property: String?
    let target: String
    switch receiver.kind {
    // A type has functions of its own, such as `Settings.setString(x, forKey: "y")`.
    case .name(let name) where name.first?.isUppercase == true && name != "Defaults": return
    case .name(let name): target = name
    case .member(let base?, let name):
      // `self.items.append(x)` is recorded for `items`, and `url.queryItems.append(x)` for `url`.
      guard let root = receiver.path ?? base.path else { return }
      if receiver.path == nil { property = name }
      target = root
    default: return
    }
    switch call.name {
    case "setObject", "setValue", "updateValue", "addValue":
      guard property == nil else { return }
      for key in call.arguments.dropFirst() {
        if key.label?.hasPrefix("forKey") == true {
          bind(target, .element(key.value), first, in: scope)
        } else if key.label == "forHTTPHeaderField" {
          bind(target, .header(key.value), first, in: scope)
        }
      }
    case "append", "add", "addObject", "insert", "appendString", "appendData", "appendFormat",
      "merge", "addEntriesFromDictionary", "addEntries", "addObjectsFromArray", "setDictionary",
      "setString":
      for argument in call.arguments {
        // The closure of `merge(other) { $1 }` is not a merged value.
        if case .closure = argument.value.kind { continue }
        bind(target, property.map { .property($0) } ?? .some, argument.value, in: scope)
      }
    case "send", "accept", "onNext":
      guard Scope.isStream(property ?? target) else { return }
      bind(property ?? target, .some, first, in: scope)
    default: break
    }
  }
}
