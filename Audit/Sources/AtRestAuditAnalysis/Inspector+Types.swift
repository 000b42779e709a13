import AtRestAuditModel

extension Inspector {
  /// Returns the type of an expression, with generic arguments, or nil if the type is neither
  /// written nor evident.
  package func type(of expression: Expression, in scope: Scope, depth: Int = 0) -> String? {
    guard depth < 8 else { return nil }
    return effort.ask { findType(of: expression, in: scope, depth: depth) }
  }

  private func findType(of expression: Expression, in scope: Scope, depth: Int) -> String? {
    switch expression.kind {
    case .string: return "String"
    case .boolean: return "Bool"
    case .cast(_, let type): return type
    case .prefix("!", _): return "Bool"
    case .prefix(_, let inner): return type(of: inner, in: scope, depth: depth + 1)
    case .name("self"), .name("Self"), .name("weakSelf"): return scope.owner
    case .name("newValue"), .name("oldValue"):
      return property(setIn: scope)?.type
    case .name(let name):
      switch meaning(of: name, in: scope, at: expression) {
      case .local(let bindings, let variable, let home):
        if let type = variable?.type, type != "id", type != "auto" { return type }
        // The last assigned value decides. Values that are appended to the variable say less.
        for binding in bindings.reversed() {
          switch binding.part {
          case .whole: return type(of: binding.value, in: home, depth: depth + 1)
          case .pieces(let pieces): return type(pieces, of: binding.value, in: home, depth: depth)
          default: continue
          }
        }
        for binding in bindings.reversed() {
          if case .some = binding.part,
            let type = type(of: binding.value, in: home, depth: depth + 1)
          {
            return TypeName.element(type) ?? type
          }
        }
        return nil
      case .parameter(let parameter, _): return parameter.type
      case .property(let variable, let file, let owner):
        return type(of: variable, in: file, owner: owner, depth: depth)
      case .global(let variable, let file):
        return type(of: variable, in: file, owner: nil, depth: depth)
      case .closure(let handler, let index, let home):
        return type(of: handler, index, in: home, depth: depth)
      case .unknown:
        return name.first?.isUppercase == true ? name : nil
      }
    case .member(let base?, "self"):
      return type(of: base, in: scope, depth: depth + 1).map { $0 + ".Type" }
    case .member(let base?, let name):
      if let index = Int(name) {
        return type([.element(index)], of: base, in: scope, depth: depth)
      }
      if Self.singletons.contains(name) {
        return type(of: base, in: scope, depth: depth + 1)
      }
      if let owner = type(of: base, in: scope, depth: depth + 1) {
        if let found = project.property(name, of: owner, near: scope.file) {
          return type(
            of: found.variable, in: found.file, owner: TypeName.plain(owner), depth: depth)
        }
        if let known = Self.places["\(TypeName.plain(owner)).\(name)"] { return known }
        if Self.elements.contains(name), let element = TypeName.element(owner) { return element }
      }
      if let known = Self.properties[name] { return known }
      return name.first?.isUppercase == true ? name : nil
    case .call(let callee, let arguments):
      switch callee.kind {
      case .name(let name):
        if let known = Self.functions[name] { return known }
        if name.first?.isUppercase == true, project.functions[name] == nil { return name }
        return functions(
          called: name, receiver: nil, in: scope, arguments: arguments.count, depth: depth + 1
        ).first?.function.result
      case .member(let base?, let name):
        if name.hasPrefix("decode"), let decoded = arguments.first.flatMap({ Self.named($0.value) })
        {
          return decoded
        }
        if name == "init" || name == "alloc" || name == "new" || Self.singletons.contains(name)
          || name.hasPrefix("initWith")
        {
          return type(of: base, in: scope, depth: depth + 1)
        }
        // `Sentry.User()`
        if case .name(let module) = base.kind, module.first?.isUppercase == true,
          name.first?.isUppercase == true, project.types[module] == nil
        {
          return "\(module).\(name)"
        }
        if name == "fetch" || name == "executeFetchRequest", let request = arguments.first?.value,
          let type = type(of: request, in: scope, depth: depth + 1),
          let element = TypeName.element(type) ?? entity(of: request, in: scope)
        {
          return "[\(element)]"
        }
        if name == "objects", let kind = arguments.first?.value.lastName { return "[\(kind)]" }
        if Self.elements.contains(name),
          let type = type(of: base, in: scope, depth: depth + 1),
          let element = TypeName.element(type)
        {
          return element
        }
        return functions(
          called: name, receiver: base, in: scope, arguments: arguments.count, depth: depth + 1
        ).first?.function.result ?? Self.results[name]
      case .array(let element):
        // `[Card]()`
        return element.first?.lastName.map { "[\($0)]" }
      default: return nil
      }
    case .number(let text): return text.contains(".") ? "Double" : "Int"
    case .array(let elements):
      return elements.first.flatMap { type(of: $0, in: scope, depth: depth + 1) }.map { "[\($0)]" }
    case .index(let base, _):
      return type(of: base, in: scope, depth: depth + 1).flatMap(TypeName.element)
    case .binary(let left, let sign, let right):
      switch sign {
      case "==", "!=", "<", ">", "<=", ">=", "&&", "||", "===", "!==", "~=": return "Bool"
      default:
        return type(of: left, in: scope, depth: depth + 1)
          ?? type(of: right, in: scope, depth: depth + 1)
      }
    case .choice(_, let values):
      return values.lazy.compactMap { type(of: $0, in: scope, depth: depth + 1) }.first
    case .assignment(_, _, let value): return type(of: value, in: scope, depth: depth + 1)
    default: return nil
    }
  }

  /// Returns the type that an argument names: `[User]` for `[User].self`, which is read without `self`.
  private static func named(_ argument: Expression) -> String? {
    switch argument.kind {
    case .name(let name), .member(_, let name):
      return name.first?.isUppercase == true ? name : nil
    case .array(let elements):
      return elements.count == 1 ? named(elements[0]).map { "[\($0)]" } : nil
    default: return nil
    }
  }

  /// Returns the entity in a request such as `NSFetchRequest(entityName: "Card")`, or nil if the
  /// request names none.
  private func entity(of request: Expression, in scope: Scope) -> String? {
    var request = request
    if case .name(let name) = request.kind,
      case .local(let bindings, _, _) = meaning(of: name, in: scope), let first = bindings.first
    {
      request = first.value
    }
    guard case .call(_, let arguments) = request.kind,
      let name = arguments.first(where: { $0.label == "entityName" })?.value
    else { return nil }
    return constant(name, in: scope)?.text
  }

  private func type(
    of variable: Variable, in file: SourceFile, owner: String?, depth: Int
  ) -> String? {
    if let type = variable.type { return type }
    guard let value = variable.value else { return nil }
    guard variable.pieces.isEmpty else {
      let home = scope(of: variable, in: file, owner: owner)
      return type(variable.pieces, of: value, in: home, depth: depth)
    }
    if case .call(let callee, let arguments) = value.kind, arguments.isEmpty,
      case .closure(let closure) = callee.kind
    {
      // In `lazy var x = { … return X() }()`, the returned value determines the type.
      for case .returns(let result?) in closure.body.statements {
        if case .name(let name) = result.kind {
          for case .variable(let local) in closure.body.statements where local.name == name {
            return local.type
              ?? local.value.flatMap {
                type(
                  of: $0, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
              }
          }
        }
        return type(
          of: result, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
      }
    }
    return type(of: value, in: scope(of: variable, in: file, owner: owner), depth: depth + 1)
  }

  /// Members that return an element of the list on which they are called.
  private static let elements: Set<String> = [
    "first", "last", "firstObject", "lastObject", "popLast", "object",
  ]

  /// Members that return an instance of the type on which they are called.
  private static let singletons: Set<String> = [
    "standard", "shared", "default", "main", "general", "standardUserDefaults", "sharedInstance",
    "defaultManager", "generalPasteboard", "sharedHTTPCookieStorage", "sharedURLCache",
    "sharedApplication", "defaultCenter", "mainBundle", "ephemeral", "background", "current",
    "defaultSessionConfiguration", "ephemeralSessionConfiguration", "sharedManager", "instance",
    "defaultRealm", "defaultStack", "sharedSession", "alloc", "init", "new", "autorelease",
    "retain",
    "currentDevice", "standardDefaults", "defaultDefaults", "applicationGroup",
  ]

  /// The results of functions of the system whose names begin like those of types.
  private static let functions: [String: String] = [
    "NSHomeDirectory": "String", "NSTemporaryDirectory": "String", "NSUserName": "String",
    "NSOpenStepRootDirectory": "String", "NSHomeDirectoryForUser": "String",
    "NSFullUserName": "String", "NSStringFromClass": "String", "NSStringFromSelector": "String",
    "NSLocalizedString": "String", "NSSearchPathForDirectoriesInDomains": "[String]",
  ]

  private static let properties: [String: String] = [
    "viewContext": "NSManagedObjectContext", "managedObjectContext": "NSManagedObjectContext",
    "persistentStoreCoordinator": "NSPersistentStoreCoordinator", "count": "Int",
    "isEmpty": "Bool", "length": "Int", "httpCookieStorage": "HTTPCookieStorage",
    "httpCookieStore": "WKHTTPCookieStore",
  ]

  private static let results: [String: String] = [
    "writeToFile": "Bool", "isEqual": "Bool", "isEqualToString": "Bool", "hasPrefix": "Bool",
    "fileExists": "Bool", "contains": "Bool", "string": "String", "lowercased": "String",
    "data": "Data", "dataUsingEncoding": "NSData", "URLForResource": "URL",
    "stringWithFormat": "NSString", "standardUserDefaults": "NSUserDefaults",
    "insertNewObject": "NSManagedObject", "insertNewObjectForEntityForName": "NSManagedObject",
  ]
}
