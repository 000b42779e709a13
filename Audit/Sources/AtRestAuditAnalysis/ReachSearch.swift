import AtRestAuditModel

/// Follows names from where an app begins to everything that they reach.
struct ReachSearch {
  /// The declarations of each file.
  private(set) var units: [[ReachUnit]] = []
  /// The scenes of each interface file.
  private(set) var scenes: [[Bool]]

  private let types: [String: TypeFacts]
  private let interfaces: [InterfaceFacts]
  private let rules: ReachRules

  /// A declaration by the index of its file and its own.
  private struct Place: Hashable {
    let file: Int
    let unit: Int
  }

  private var named: [UInt32: [String]] = [:]
  private var parts: [String: [Place]] = [:]
  private var members: [UInt32: [Place]] = [:]
  private var inner: [String: [String]] = [:]
  private var namedFiles: [UInt32: [Int]] = [:]
  private var namedScenes: [UInt32: [(file: Int, scene: Int)]] = [:]
  private var scenesOfClass: [String: [(file: Int, scene: Int)]] = [:]

  private var mentioned: Set<UInt32> = []
  private var reachedTypes: Set<String> = []
  private var ahead: [UInt32] = []

  init(files: [SourceFile], types: [String: TypeFacts], resources: ResourceFacts) {
    self.types = types
    interfaces = resources.interfaces
    rules = ReachRules(types)
    scenes = interfaces.map { [Bool](repeating: false, count: $0.scenes.count) }
    ahead = Array(resources.mentions)
    for (index, file) in files.enumerated() {
      let (units, outside) = ReachUnit.units(of: file) { [rules] in rules.isGiven($0, of: $1) }
      ahead += outside
      for (place, unit) in units.enumerated() {
        let place = Place(file: index, unit: place)
        if let owner = unit.owner { parts[owner, default: []].append(place) }
        if case .member(let hashes, _) = unit.kind {
          for hash in hashes { members[hash, default: []].append(place) }
        }
      }
      self.units.append(units)
    }
    for (name, facts) in types {
      named[CodeWords.hash(name), default: []].append(name)
      for declaration in facts.declarations {
        // `@objc(AppPlayer) class Player`
        for exposure in declaration.type.attributes where exposure.name == "objc" {
          for argument in exposure.arguments {
            named[CodeWords.hash(argument.value.lastName ?? ""), default: []].append(name)
          }
        }
        inner[name, default: []] += declaration.type.types.map(\.name)
      }
    }
    for (file, interface) in interfaces.enumerated() {
      for hash in Self.spellings(of: interface.name) { namedFiles[hash, default: []].append(file) }
      for (index, scene) in interface.scenes.enumerated() {
        for hash in scene.identifier.map(Self.spellings) ?? [] {
          namedScenes[hash, default: []].append((file, index))
        }
        for name in scene.keyClasses { scenesOfClass[name, default: []].append((file, index)) }
      }
    }
    let parts = Set(files.flatMap(\.words.parts))
    let sceneParts = Set(files.flatMap(\.words.sceneParts))
    for (name, facts) in types {
      let isFound =
        facts.declarations.contains { rules.isBeginning($0.type, in: $0.file) }
        || parts.contains { name.hasPrefix($0) || name.hasSuffix($0) }
      // Extensions of types that are not the project's.
      if isFound || !facts.declarations.contains(where: { $0.type.form != .extension }) {
        reach(type: name)
      }
    }
    for (file, interface) in interfaces.enumerated() where !sceneParts.isEmpty {
      func isNamed(_ name: String) -> Bool {
        sceneParts.contains { name.hasPrefix($0) || name.hasSuffix($0) }
      }
      if isNamed(interface.name) { reach(file: file) }
      for (scene, facts) in interface.scenes.enumerated()
      where facts.identifier.map(isNamed) ?? false {
        reach(scene: scene, of: file)
      }
    }
    for place in units.indices {
      for unit in units[place].indices {
        if units[place][unit].owner == nil, case .member(_, isGiven: true) = units[place][unit].kind
        {
          reach(Place(file: place, unit: unit))
        }
      }
    }
  }

  /// Returns true if the code shows where the app begins.
  static func hasBeginning(_ files: [SourceFile]) -> Bool {
    files.contains { file in
      file.types.contains { $0.attributes.contains { ReachRules.beginnings.contains($0.name) } }
        || file.language == .objectiveC
          && file.functions.contains { $0.name == "main" && $0.body != nil }
        || !file.statements.statements.isEmpty && file.path.hasSuffix("main.swift")
    }
  }

  /// False if so many types are not reached that something must lead to them which is not in the code, such as
  /// a library that asks the runtime for all classes.
  var isPlausible: Bool {
    !mentioned.contains(CodeWords.hash("objc_copyClassList"))
      && !mentioned.contains(CodeWords.hash("objc_getClassList"))
      && (types.count - reachedTypes.count) * 3 <= types.count
  }

  /// Returns the hashes of a name as a string, and as an identifier made from it: `Login`, `login`.
  private static func spellings(of name: String) -> Set<UInt32> {
    let letters = name.filter { $0.isLetter || $0.isNumber || $0 == "_" }
    let capitals = letters.prefix { $0.isUppercase }.count
    var all = [
      name, letters, letters.prefix(1).lowercased() + letters.dropFirst(), letters.lowercased(),
    ]
    if capitals > 1 {
      all.append(letters.prefix(capitals - 1).lowercased() + letters.dropFirst(capitals - 1))
    }
    return Set(all.map { CodeWords.hash($0) })
  }

  mutating func run() {
    for name in ["Main", "LaunchScreen", "Interface"] { ahead.append(CodeWords.hash(name)) }
    while let hash = ahead.popLast() {
      guard mentioned.insert(hash).inserted else { continue }
      for name in named[hash] ?? [] { reach(type: name) }
      for place in members[hash] ?? [] where isUsable(place) { reach(place) }
      for file in namedFiles[hash] ?? [] { reach(file: file) }
      for (file, scene) in namedScenes[hash] ?? [] { reach(scene: scene, of: file) }
    }
  }

  /// Returns true for a member of no type, or of one that is reached.
  private func isUsable(_ place: Place) -> Bool {
    units[place.file][place.unit].owner.map(reachedTypes.contains) ?? true
  }

  private mutating func reach(_ place: Place) {
    guard !units[place.file][place.unit].isReached else { return }
    units[place.file][place.unit].isReached = true
    ahead += units[place.file][place.unit].words
  }

  private mutating func reach(type name: String) {
    guard types[name] != nil, reachedTypes.insert(name).inserted else { return }
    for place in parts[name] ?? [] {
      switch units[place.file][place.unit].kind {
      case .type, .member(_, isGiven: true): reach(place)
      case .member(let hashes, isGiven: false):
        if hashes.contains(where: mentioned.contains) { reach(place) }
      }
    }
    for name in inner[name] ?? [] { reach(type: name) }
    for (file, scene) in scenesOfClass[name] ?? [] { reach(scene: scene, of: file) }
  }

  private mutating func reach(file: Int) {
    let interface = interfaces[file]
    // Code asks a storyboard without an initial scene for one of its scenes by name.
    if let first = interface.initial ?? (interface.scenes.count == 1 ? 0 : nil) {
      reach(scene: first, of: file)
    }
  }

  private mutating func reach(scene: Int, of file: Int) {
    guard !scenes[file][scene] else { return }
    scenes[file][scene] = true
    let facts = interfaces[file].scenes[scene]
    for name in facts.classes { reach(type: name) }
    for next in facts.next { reach(scene: next, of: file) }
    for reference in facts.references {
      for other in interfaces.indices where interfaces[other].name == reference.file {
        guard let identifier = reference.identifier else {
          reach(file: other)
          continue
        }
        for next in interfaces[other].scenes.indices
        where interfaces[other].scenes[next].identifier == identifier {
          reach(scene: next, of: other)
        }
      }
    }
  }
}
