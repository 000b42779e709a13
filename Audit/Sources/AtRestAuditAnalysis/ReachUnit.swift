import AtRestAuditModel

/// A declaration that is reached as a whole: a type with its stored properties, a function, or a computed
/// property.
struct ReachUnit {
  enum Kind {
    case type
    /// A function or a computed property, with the hashes of its names. If `isGiven` is true, it is reached
    /// with its type, because the system may call it.
    case member([UInt32], isGiven: Bool)
  }

  let range: Range<Int32>
  let kind: Kind
  /// The name of the type: its own, or that to which a member belongs.
  let owner: String?
  /// The hashes of the names that the declaration mentions, without those in declarations within it.
  var words: [UInt32] = []
  var isReached = false

  /// Returns the declarations of a file, in the order of their places, and the words outside of all.
  ///
  /// Functions of C and Objective-C belong to the file or to their type: macros, selectors and other
  /// languages call them.
  static func units(
    of file: SourceFile, isGiven: (_ member: Member, _ owner: String) -> Bool
  ) -> (units: [ReachUnit], outside: [UInt32]) {
    var units: [ReachUnit] = []
    func add(_ member: Member, _ range: Range<Int32>, _ owner: String?) {
      units.append(
        ReachUnit(
          range: range,
          kind: .member(
            member.names.map { CodeWords.hash($0) },
            isGiven: owner.map { isGiven(member, $0) } ?? (member.isMarked || member.isOperator)),
          owner: owner))
    }
    func add(_ functions: [Function], _ variables: [Variable], _ owner: String?) {
      guard file.language == .swift else { return }
      for function in functions { add(Member(function), function.range, owner) }
      for variable in variables {
        if let member = Member(variable) { add(member, variable.range, owner) }
      }
    }
    func add(_ type: TypeDeclaration) {
      units.append(ReachUnit(range: type.range, kind: .type, owner: type.name))
      add(type.functions, type.variables, type.name)
      for inner in type.types { add(inner) }
    }
    add(file.functions, file.variables, nil)
    for type in file.types { add(type) }
    units.sort {
      $0.range.lowerBound != $1.range.lowerBound
        ? $0.range.lowerBound < $1.range.lowerBound : $0.range.upperBound > $1.range.upperBound
    }
    let outside = give(file.words.words, to: &units)
    return (units, outside)
  }

  /// Gives each word to the innermost declaration around it, and returns the others.
  private static func give(
    _ words: [CodeWords.Word], to units: inout [ReachUnit]
  ) -> [UInt32] {
    var outside: Set<UInt32> = []
    var found = [Set<UInt32>](repeating: [], count: units.count)
    var open: [Int] = []
    var next = 0
    for word in words {
      while next < units.count, units[next].range.lowerBound <= word.offset {
        open.append(next)
        next += 1
      }
      open.removeAll { units[$0].range.upperBound <= word.offset }
      if let inner = open.last { found[inner].insert(word.hash) } else { outside.insert(word.hash) }
    }
    for index in units.indices { units[index].words = Array(found[index]) }
    return Array(outside)
  }

  /// A function or a computed property of Swift.
  struct Member {
    let name: String
    /// The names under which Swift and Objective-C know it.
    let names: [String]
    let isPrivate: Bool
    let isOverride: Bool
    /// True for `@objc`.
    let isExposed: Bool
    /// True for another attribute by which the system or another language finds it: `@IBAction`.
    let isMarked: Bool

    /// True for an operator, which is not a word in the code.
    var isOperator: Bool { !name.contains { $0.isLetter || $0 == "_" } }

    init(_ function: Function) {
      name = function.name
      let exposure = function.attributes.first { $0.name == "objc" }
      isExposed = exposure != nil
      names = [name] + (exposure.map { Self.selectors(of: function, $0) } ?? [])
      isPrivate = function.isPrivate
      isOverride = function.isOverride
      isMarked = Self.isMarked(function.attributes)
    }

    /// Returns nil for a stored property, whose value is made with its type.
    init?(_ variable: Variable) {
      guard variable.accessors.contains(where: { $0.name != "willSet" && $0.name != "didSet" })
      else { return nil }
      name = variable.name
      let exposure = variable.attributes.first { $0.name == "objc" }
      isExposed = exposure != nil
      names =
        [name]
        + (exposure.map { [Self.capitalized("set", variable.name)] + Self.selector($0) } ?? [])
      isPrivate = variable.isPrivate
      isOverride = variable.isOverride
      isMarked = Self.isMarked(variable.attributes)
    }

    /// Returns the first parts of the selectors by which Objective-C may call a function: `saveWithUser` for
    /// `save(user:)`.
    private static func selectors(of function: Function, _ exposure: Attribute) -> [String] {
      let own = selector(exposure)
      guard own.isEmpty else { return own }
      let name = function.name
      let label = function.parameters.first?.label
      return [name + "AndReturnError", name + "WithCompletionHandler"]
        + (label.map { [capitalized(name + "With", $0), capitalized(name, $0)] } ?? [])
    }

    /// Returns the first part of the selector in `@objc(save:to:)`.
    private static func selector(_ exposure: Attribute) -> [String] {
      exposure.arguments.compactMap { $0.value.lastName?.prefix { $0 != ":" } }.map(String.init)
    }

    private static func capitalized(_ start: String, _ rest: String) -> String {
      start + rest.prefix(1).uppercased() + rest.dropFirst()
    }

    private static func isMarked(_ attributes: [Attribute]) -> Bool {
      attributes.contains { !silentAttributes.contains($0.name) }
    }

    private static let silentAttributes: Set<String> = [
      "discardableResult", "MainActor", "available", "inlinable", "inline", "ViewBuilder",
      "escaping", "nonobjc", "Sendable", "warn_unqualified_access", "objc",
    ]
  }
}
