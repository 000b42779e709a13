import AtRestAuditModel

/// What is known of a project once all of its files are read.
package final class ProjectFacts: Sendable {
  package let files: [SourceFile]
  /// The scopes of each file, in the order of the files.
  package let scopes: [[Scope]]
  /// All declarations of a type, by its name.
  package let types: [String: TypeFacts]
  /// Functions by their names, wherever they are declared.
  package let functions: [String: [DeclaredFunction]]
  /// Global variables and constants by their names.
  let globals: [String: [(variable: Variable, file: SourceFile)]]
  /// The same by the type that they belong to.
  let methods: [String: [String: [DeclaredFunction]]]
  /// The scope of a function's body.
  private let bodies: [ObjectIdentifier: Scope]
  /// What methods of a type write to its properties, by the names of both.
  package let writes: [String: [String: [(value: Expression, scope: Scope)]]]
  /// Names of properties to which any code writes something, and to which it writes nothing.
  package let assigned: Set<String>
  package let cleared: Set<String>
  /// Labels under which any call is given something.
  package let labels: Set<String>
  /// Names of interest that stand anywhere.
  package let mentioned: Set<String>
  /// Calls by the name of what is called; initialisers by the name of their type.
  package let calls: [String: [(call: Scope.Call, scope: Scope)]]
  /// Modules and headers that any file imports.
  package let imports: Set<String>
  package let resources: ResourceFacts
  /// Paths of the files of Swift that are written for Linux too.
  package let filesForLinux: Set<String>

  package struct DeclaredFunction: Sendable {
    package let function: Function
    let owner: String?
    package let scope: Scope
  }

  /// - Parameter files: With the scopes that ``ScopeBuilder`` made of each.
  package init(files: [(SourceFile, [Scope])], resources: ResourceFacts) {
    self.files = files.map(\.0)
    scopes = files.map(\.1)
    self.resources = resources
    var types: [String: TypeFacts] = [:]
    var globals: [String: [(variable: Variable, file: SourceFile)]] = [:]
    var functions: [String: [DeclaredFunction]] = [:]
    var calls: [String: [(call: Scope.Call, scope: Scope)]] = [:]
    var imports: Set<String> = []
    var methods: [String: [String: [DeclaredFunction]]] = [:]
    var bodies: [ObjectIdentifier: Scope] = [:]
    var writes: [String: [String: [(value: Expression, scope: Scope)]]] = [:]
    var assigned: Set<String> = []
    var cleared: Set<String> = []
    var labels: Set<String> = []
    var mentioned: Set<String> = []
    for (file, scopes) in files {
      imports.formUnion(file.imports)
      for type in file.types { Self.add(type, of: file, to: &types) }
      for variable in file.variables {
        globals[variable.name, default: []].append((variable, file))
      }
      for scope in scopes {
        if let function = scope.function {
          let declared = DeclaredFunction(function: function, owner: scope.owner, scope: scope)
          functions[function.name, default: []].append(declared)
          bodies[ObjectIdentifier(function)] = scope
          if let owner = scope.owner {
            methods[owner, default: [:]][function.name, default: []].append(declared)
          }
        }
        for call in scope.calls {
          calls[call.name, default: []].append((call, scope))
          for argument in call.arguments where !argument.value.isNull {
            if let label = argument.label { labels.insert(label) }
          }
        }
        for assignment in scope.assignments where assignment.target != nil {
          if assignment.value.isNull {
            cleared.insert(assignment.name)
          } else {
            assigned.insert(assignment.name)
          }
        }
        mentioned.formUnion(scope.mentions.keys)
        guard let owner = scope.owner else { continue }
        for assignment in scope.assignments
        where scope.declared[assignment.name] != nil || scope.parameter(assignment.name) != nil {
          // The name is that of a parameter or local: only `self.name` is the property.
          if case .name("self")? = assignment.target?.kind {
            writes[owner, default: [:]][assignment.name, default: []].append(
              (assignment.value, scope))
          }
        }
        for (name, bindings) in scope.bindings
        where scope.declared[name] == nil && scope.parameter(name) == nil {
          for binding in bindings {
            if case .whole = binding.part {
              writes[owner, default: [:]][name, default: []].append((binding.value, scope))
            }
          }
        }
      }
    }
    self.types = types
    self.globals = globals
    self.functions = functions
    self.calls = calls
    self.imports = imports
    self.methods = methods
    self.bodies = bodies
    self.writes = writes
    self.assigned = assigned
    self.cleared = cleared
    self.labels = labels
    self.mentioned = mentioned
    filesForLinux = LinuxFiles.paths(of: files)
  }

  /// The scope of a function's body, if it has one that ships.
  package func scope(of function: Function) -> Scope? { bodies[ObjectIdentifier(function)] }

  private static func add(
    _ type: TypeDeclaration, of file: SourceFile, to types: inout [String: TypeFacts]
  ) {
    var facts = types[type.name] ?? TypeFacts(name: type.name)
    facts.declarations.append((type, file))
    for inherited in type.inherited where !facts.inherited.contains(inherited) {
      facts.inherited.append(inherited)
    }
    for variable in type.variables + type.cases {
      // A property is declared in the interface and synthesised elsewhere: keep what has a value.
      if facts.variables[variable.name]?.variable.value == nil {
        facts.variables[variable.name] = (variable, file)
      }
    }
    types[type.name] = facts
    for inner in type.types { add(inner, of: file, to: &types) }
  }

  /// Whether a type is one of these, or inherits from one through types of the project.
  package func type(_ name: String, is ancestors: Set<String>, depth: Int = 0) -> Bool {
    let plain = TypeName.plain(name)
    if ancestors.contains(plain) { return true }
    guard depth < 8, let facts = types[plain] else { return false }
    return facts.inherited.contains { type($0, is: ancestors, depth: depth + 1) }
  }

  /// A property of a type or of what it inherits from.
  func property(
    _ name: String, of type: String, depth: Int = 0
  ) -> (variable: Variable, file: SourceFile)? {
    guard depth < 8, let facts = types[TypeName.plain(type)] else { return nil }
    if let found = facts.variables[name] { return found }
    // The instance variable behind a property of Objective-C.
    if name.hasPrefix("_"), let found = facts.variables[String(name.dropFirst())] { return found }
    for ancestor in facts.inherited {
      if let found = property(name, of: ancestor, depth: depth + 1) { return found }
    }
    return nil
  }
}

/// All that is declared of one type, in all files.
package struct TypeFacts: Sendable {
  package let name: String
  package var declarations: [(type: TypeDeclaration, file: SourceFile)] = []
  package var inherited: [String] = []
  package var variables: [String: (variable: Variable, file: SourceFile)] = [:]
}

/// Names of types as they are written.
package enum TypeName {
  /// `User` for `[User]?`, `Array<User>`, `some User`, `Module.User`, `NSArray<User *>`.
  package static func plain(_ text: String) -> String {
    var bytes = text.utf8[...]
    while let last = bytes.last, "?!* ".utf8.contains(last) { bytes.removeLast() }
    if let open = bytes.firstIndex(of: UInt8(ascii: "<")) { bytes = bytes[..<open] }
    if let dot = bytes.lastIndex(of: UInt8(ascii: ".")) {
      bytes = bytes[bytes.index(after: dot)...]
    }
    return bytes.count == text.utf8.count ? text : String(decoding: bytes, as: UTF8.self)
  }

  /// What a collection holds: `User` for `[User]`, `Array<User>`, `Results<User>`,
  /// `NSFetchRequest<User>`.
  package static func element(_ text: String) -> String? {
    if text.hasPrefix("["), text.hasSuffix("]"), !text.contains(":") {
      return plain(String(text.dropFirst().dropLast()))
    }
    guard let open = text.firstIndex(of: "<"), text.hasSuffix(">"), !text.contains(",") else {
      return nil
    }
    return plain(String(text[text.index(after: open)...].dropLast()))
  }
}

/// What the resources of a project say that code is judged by.
package struct ResourceFacts: Sendable {
  /// Whether a field of an interface file is secure, and what it is for, by the name of its class and
  /// outlet: `LoginController.passwordField`.
  package var fields: [String: Field] = [:]
  /// Attributes of the entities of Core Data, by entity and by the class that represents it.
  package var entities: [String: [String]] = [:]
  /// Names of bundled files that hold secrets, without folders.
  package var filesWithSecrets: Set<String> = []
  /// Names of libraries in lock files, in lower case.
  package var dependencies: Set<String> = []

  package struct Field: Sendable {
    package let sensitivity: Sensitivity?
    package let isSecure: Bool

    package init(sensitivity: Sensitivity?, isSecure: Bool) {
      self.sensitivity = sensitivity
      self.isSecure = isSecure
    }
  }

  package init() {}
}
