import AtRestAuditModel

/// The facts about a project that are known when all of its files are read.
package final class ProjectFacts: Sendable {
  package let files: [SourceFile]
  /// The scopes of each file, in the order of the files.
  package let scopes: [[Scope]]
  /// All declarations of each type by its name.
  package let types: [String: TypeFacts]
  /// The names of the types that inherit from a type or conform to a protocol directly.
  private let heirs: [String: [String]]
  /// All functions by name.
  package let functions: [String: [DeclaredFunction]]
  /// Global variables and constants by their names.
  let globals: [String: [(variable: Variable, file: SourceFile)]]
  /// The functions by the type that they belong to, and then by name.
  let methods: [String: [String: [DeclaredFunction]]]
  /// The scopes of the bodies of functions.
  private let bodies: [ObjectIdentifier: Scope]
  /// The values that methods of a type assign to its properties, by the names of the type and of
  /// the property.
  package let writes: [String: [String: [(value: Expression, scope: Scope)]]]
  /// The additions by methods of a type to the dictionaries and lists in its properties, by the names of the type and
  /// of the property.
  let additions: [String: [String: [(binding: Scope.Binding, scope: Scope)]]]
  /// The assignments to properties of other objects, by the name of the property.
  let assignments: [String: [(assignment: Scope.Assignment, scope: Scope)]]
  /// The properties and variables by the name of their property wrapper.
  package let wrapped: [String: [(variable: Variable, file: SourceFile, owner: String?)]]
  /// The names of properties that are set to a value anywhere in the code.
  package let assigned: Set<String>
  /// The names of properties that are set to nil anywhere in the code.
  package let cleared: Set<String>
  /// The argument labels with which any call passes a value other than nil.
  package let labels: Set<String>
  /// The names that interest the rules and occur anywhere in the code.
  package let mentioned: Set<String>
  /// The names of the constants that the code uses as names: as keys, headers, columns or
  /// identifiers.
  package let names: Set<String>
  /// All names in the expressions of the code in Swift.
  package let references: Set<String>
  /// The calls by the name of the callee. Initialisers have the name of their type.
  package let calls: [String: [(call: Scope.Call, scope: Scope)]]
  /// The modules and headers that any file imports.
  package let imports: Set<String>
  package let resources: ResourceFacts
  /// The logs that write nothing in a build for customers.
  package let logSwitches: LogSwitches
  /// The code and the scenes that can be reached from where the app begins.
  package let reach: Reach
  /// The paths of Swift files that are also built for Linux.
  package let filesForLinux: Set<String>

  package struct DeclaredFunction: Sendable {
    package let function: Function
    let owner: String?
    package let scope: Scope
  }

  /// - Parameter files: The files, each with the scopes that ``ScopeBuilder`` made from it.
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
    var additions: [String: [String: [(binding: Scope.Binding, scope: Scope)]]] = [:]
    var assignments: [String: [(assignment: Scope.Assignment, scope: Scope)]] = [:]
    var wrapped: [String: [(variable: Variable, file: SourceFile, owner: String?)]] = [:]
    var assigned: Set<String> = []
    var cleared: Set<String> = []
    var labels: Set<String> = []
    var mentioned: Set<String> = []
    var names: Set<String> = []
    var references: Set<String> = []
    for (file, scopes) in files {
      imports.formUnion(file.imports)
      for type in file.types {
        Self.add(type, of: file, to: &types)
        Self.add(wrapped: type, of: file, to: &wrapped)
      }
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
          if assignment.target.map({ !$0.isSelf }) == true {
            assignments[assignment.name, default: []].append((assignment, scope))
          }
          if assignment.value.isNull {
            cleared.insert(assignment.name)
          } else {
            assigned.insert(assignment.name)
          }
        }
        mentioned.formUnion(scope.mentions.keys)
        names.formUnion(scope.names)
        references.formUnion(scope.references)
        guard let owner = scope.owner else { continue }
        for assignment in scope.assignments
        where scope.declared[assignment.name] != nil || scope.parameter(assignment.name) != nil {
          // The name is also a parameter or local variable, so only `self.name` is the property.
          if case .name("self")? = assignment.target?.kind {
            writes[owner, default: [:]][assignment.name, default: []].append(
              (assignment.value, scope))
          }
        }
        for (name, bindings) in scope.bindings
        where scope.declared[name] == nil && scope.parameter(name) == nil {
          for binding in bindings {
            switch binding.part {
            case .whole:
              writes[owner, default: [:]][name, default: []].append((binding.value, scope))
            case .element, .some, .pieces:
              additions[owner, default: [:]][name, default: []].append((binding, scope))
            case .property, .header: break
            }
          }
        }
      }
    }
    self.types = types
    heirs = types.values.reduce(into: [:]) { heirs, type in
      for inherited in type.inherited {
        heirs[TypeName.plain(inherited), default: []].append(type.name)
      }
    }
    self.globals = globals
    self.functions = functions
    self.calls = calls
    self.imports = imports
    self.methods = methods
    self.bodies = bodies
    self.writes = writes
    self.additions = additions
    self.assignments = assignments
    self.wrapped = wrapped
    self.assigned = assigned
    self.cleared = cleared
    self.labels = labels
    self.mentioned = mentioned
    self.names = names
    self.references = references
    logSwitches = LogSwitches(files.map(\.0), globals: globals)
    filesForLinux = LinuxFiles.paths(of: files)
    reach = Reach(files: files.map(\.0), types: types, resources: resources)
  }

  /// Returns the scope of a function's body, or nil if the body does not ship.
  package func scope(of function: Function) -> Scope? { bodies[ObjectIdentifier(function)] }

  private static func add(
    wrapped type: TypeDeclaration, of file: SourceFile,
    to wrapped: inout [String: [(variable: Variable, file: SourceFile, owner: String?)]]
  ) {
    for variable in type.variables {
      for attribute in variable.attributes {
        wrapped[TypeName.plain(attribute.name), default: []].append((variable, file, type.name))
      }
    }
    for inner in type.types { add(wrapped: inner, of: file, to: &wrapped) }
  }

  private static func add(
    _ type: TypeDeclaration, of file: SourceFile, to types: inout [String: TypeFacts]
  ) {
    var facts = types[type.name] ?? TypeFacts(name: type.name)
    facts.declarations.append((type, file))
    for inherited in type.inherited where !facts.inherited.contains(inherited) {
      facts.inherited.append(inherited)
    }
    for variable in type.variables + type.cases {
      // A property may be declared in the interface and synthesised elsewhere. The declaration with
      // a value is kept.
      if let known = facts.variables[variable.name] {
        let isBetter = known.variable.value == nil
        facts.namesakes[variable.name, default: []].append(isBetter ? known : (variable, file))
        if !isBetter { continue }
      }
      facts.variables[variable.name] = (variable, file)
    }
    types[type.name] = facts
    for inner in type.types { add(inner, of: file, to: &types) }
  }

  /// Returns the declarations of a type that a file means: its own, if it declares the type,
  /// otherwise all.
  package func declarations(of type: String, near file: SourceFile) -> [TypeDeclaration] {
    let all = types[TypeName.plain(type)]?.declarations.filter { $0.type.form != .extension } ?? []
    let own = all.filter { $0.file === file }
    return (own.isEmpty ? all : own).map(\.type)
  }

  /// Returns true if a type is one of `ancestors`, or inherits from one through types of the
  /// project.
  package func type(_ name: String, is ancestors: Set<String>, depth: Int = 0) -> Bool {
    let plain = TypeName.plain(name)
    if ancestors.contains(plain) { return true }
    guard depth < 8, let facts = types[plain] else { return false }
    return facts.inherited.contains { type($0, is: ancestors, depth: depth + 1) }
  }

  /// Returns the names of all types that a type inherits from or conforms to.
  func ancestors(of type: String) -> Set<String> {
    Self.reachable(from: type) { (types[$0]?.inherited ?? []).map(TypeName.plain) }
  }

  /// Returns the names of all types that inherit from a type or conform to it.
  func descendants(of type: String) -> Set<String> {
    Self.reachable(from: type) { heirs[$0] ?? [] }
  }

  private static func reachable(from start: String, _ next: (String) -> [String]) -> Set<String> {
    var found: Set<String> = []
    var ahead = [start]
    for _ in 0..<8 where !ahead.isEmpty {
      ahead = ahead.flatMap(next).filter { found.insert($0).inserted }
    }
    return found
  }

  /// Returns a property of the type that a file means, or of its ancestors, or nil if there is none
  /// with this name.
  func property(
    _ name: String, of type: String, near file: SourceFile, depth: Int = 0
  ) -> (variable: Variable, file: SourceFile)? {
    guard depth < 8, let facts = types[TypeName.plain(type)] else { return nil }
    if let found = facts.property(name, near: file) { return found }
    // This is the instance variable of an Objective-C property.
    if name.hasPrefix("_"), let found = facts.variables[String(name.dropFirst())] { return found }
    for ancestor in facts.inherited {
      if let found = property(name, of: ancestor, near: file, depth: depth + 1) { return found }
    }
    return nil
  }
}
