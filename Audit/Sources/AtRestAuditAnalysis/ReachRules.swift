import AtRestAuditModel

/// Knows the code that the system finds and calls without being told its name.
struct ReachRules {
  private let types: [String: TypeFacts]
  /// The types of which the system may call members that no code of the project names.
  private let served: Set<String>
  /// The types of which programs in other languages call members by name.
  private let bridged: Set<String>

  init(_ types: [String: TypeFacts]) {
    self.types = types
    bridged = Set(
      types.keys.filter { name in
        Self.isFound(name, Self.bridges, types, depth: 0)
          || types[name]?.declarations.contains { Self.isOfBridge($0.file) } == true
      })
    var served: Set<String> = []
    for name in types.keys
    where Self.isServed(name, types, depth: 0) { served.insert(name) }
    self.served = served
  }

  /// The attributes of types with which an app begins.
  static let beginnings: Set<String> = ["main", "UIApplicationMain", "NSApplicationMain"]

  /// Returns true for a type that the system finds by itself.
  func isBeginning(_ type: TypeDeclaration, in file: SourceFile) -> Bool {
    type.attributes.contains { Self.beginnings.contains($0.name) }
      || Self.isOfBridge(file)
      || type.functions.contains { $0.isStatic && ($0.name == "load" || $0.name == "initialize") }
      || Self.isFound(type.name, Self.found, types, depth: 0)
  }

  /// Returns true for a function that the system may call on a type: what a protocol of a framework may
  /// require, what a class of one calls, and what the compiler calls.
  func isGiven(_ member: ReachUnit.Member, of owner: String) -> Bool {
    if member.isOverride || member.isMarked || Self.calledByCompiler.contains(member.name) {
      return true
    }
    // Whoever calls a method of Objective-C names it, but for programs that are not Swift or Objective-C.
    if member.isExposed && bridged.contains(owner) { return true }
    return member.isOperator || !member.isPrivate && served.contains(owner)
  }

  // MARK: Tables

  /// Classes and protocols whose heirs the system makes, because files or the system name them.
  private static let found: Set<String> = bridges.union([
    "App", "AppIntent", "AppEntity", "AppEnum", "AppShortcutsProvider", "EntityQuery",
    "UIApplicationDelegate", "UIWindowSceneDelegate", "UISceneDelegate", "NSApplicationDelegate",
    "WKApplicationDelegate", "WKExtensionDelegate", "NSManagedObject", "NSEntityMigrationPolicy",
    "ValueTransformer", "NSValueTransformer", "NSSecureUnarchiveFromDataTransformer", "CodingKey",
    "INExtension", "UNNotificationServiceExtension", "NSDocument", "PersistentModel",
  ])

  /// Classes and protocols of bridges to other languages.
  private static let bridges: Set<String> = [
    "RCTBridgeModule", "RCTEventEmitter", "RCTViewManager", "CAPPlugin", "CAPBridgedPlugin",
    "CDVPlugin", "FlutterPlugin",
  ]

  /// Returns true for the code of a bridge to another language.
  private static func isOfBridge(_ file: SourceFile) -> Bool {
    file.imports.contains { $0.hasPrefix("React") || $0.hasPrefix("Flutter") }
  }

  /// Names that the compiler or the standard library calls.
  private static let calledByCompiler: Set<String> = [
    "init", "deinit", "subscript", "main", "encode", "hash", "body", "callAsFunction",
    "wrappedValue", "projectedValue", "buildBlock", "buildExpression", "buildOptional",
    "buildEither",
    "buildArray", "buildFinalResult", "buildPartialBlock", "buildLimitedAvailability",
    "appendInterpolation", "appendLiteral", "makeIterator", "makeAsyncIterator", "next",
    "description", "debugDescription", "customMirror", "rawValue", "hashValue", "id", "allCases",
    "stringValue", "intValue", "startIndex", "endIndex", "dynamicallyCall",
  ]

  /// Protocols that require nothing but what ``calledByCompiler`` has.
  private static let plain: Set<String> = [
    "NSObject", "NSObjectProtocol", "Sendable", "Codable", "Encodable", "Decodable", "Equatable",
    "Hashable", "Identifiable", "ObservableObject", "Observable", "AnyObject", "Error",
    "CaseIterable",
    "String", "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32",
    "UInt64",
    "Double", "Float", "Character", "Bool", "Any", "class", "View", "ViewModifier",
    "RawRepresentable",
    "CustomStringConvertible", "CustomDebugStringConvertible",
  ]

  private static func isFound(
    _ name: String, _ ancestors: Set<String>, _ types: [String: TypeFacts], depth: Int
  ) -> Bool {
    guard depth < 8 else { return false }
    return (types[name]?.inherited ?? []).map(TypeName.plain).contains {
      types[$0] == nil
        ? ancestors.contains($0) : isFound($0, ancestors, types, depth: depth + 1)
    }
  }

  /// Returns true if a type conforms to a protocol that is not the project's, directly or through others.
  private static func isServed(_ name: String, _ types: [String: TypeFacts], depth: Int) -> Bool {
    guard depth < 8 else { return true }
    guard let facts = types[name] else { return false }
    // Objective-C knows all members by name.
    if facts.declarations.contains(where: { declaration in
      declaration.type.attributes.contains {
        $0.name == "objcMembers" || $0.name == "objc" && declaration.type.form == .extension
      }
    }) {
      return true
    }
    let isOwn = facts.declarations.contains { $0.type.form != .extension }
    // An extension of a protocol of a framework has what the protocol requires.
    if !isOwn, isProtocol(name) { return true }
    return facts.declarations.contains { declaration in
      declaration.type.inherited.enumerated().contains { index, text in
        let name = TypeName.plain(text)
        if plain.contains(name) { return false }
        if types[name]?.declarations.contains(where: { $0.type.form != .extension }) == true {
          return isServed(name, types, depth: depth + 1)
        }
        return !(index == 0 && declaration.type.form == .class && isClass(name))
      }
    }
  }

  /// Returns true for the name of a class of a framework, which calls only what overrides its own.
  private static func isClass(_ name: String) -> Bool {
    if isProtocol(name) { return false }
    return ["UI", "NS", "WK", "MK", "CA", "AV", "SK", "PK", "MTK", "SCN", "QL"].contains(
      where: name.hasPrefix)
      || ["Controller", "View", "Cell", "Button", "Label", "Field"].contains {
        name.hasSuffix($0) && name.utf8.count > $0.utf8.count
      }
  }

  /// Returns true for the name of a protocol, by the endings that Swift's guidelines ask for.
  private static func isProtocol(_ name: String) -> Bool {
    ["Delegate", "DataSource", "Protocol", "ing", "able", "Type"].contains(where: name.hasSuffix)
      && name != "String"
  }
}
