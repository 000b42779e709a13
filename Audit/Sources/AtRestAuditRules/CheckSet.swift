import AtRestAuditAnalysis
import AtRestAuditModel
import AtRestFormats

/// The checks of all rules, grouped by the code that they inspect, so that code is walked once.
struct CheckSet: Sendable {
  typealias CallCheck = @Sendable (Scope.Call, Scope, Pass) -> Void
  typealias AssignmentCheck = @Sendable (Scope.Assignment, Scope, Pass) -> Void
  typealias MentionCheck = @Sendable (Expression, Scope, Pass) -> Void
  typealias ScopeCheck = @Sendable (Scope, Pass) -> Void
  typealias TypeCheck = @Sendable (TypeDeclaration, SourceFile, Pass) -> Void
  typealias FileCheck = @Sendable (SourceFile, Pass) -> Void
  typealias ProjectCheck = @Sendable (Pass) -> Void

  private(set) var calls: [String: [CallCheck]] = [:]
  private(set) var assignments: [String: [AssignmentCheck]] = [:]
  private(set) var mentions: [String: [MentionCheck]] = [:]
  private(set) var scopes: [ScopeCheck] = []
  private(set) var types: [TypeCheck] = []
  private(set) var files: [FileCheck] = []
  private(set) var projects: [ProjectCheck] = []

  /// All checks of the rulebook.
  static let all: CheckSet = {
    var set = CheckSet()
    for rule in Rulebook.entries { rule.add(to: &set) }
    KeychainChecks.add(to: &set)
    BiometryChecks.add(to: &set)
    FileChecks.add(to: &set)
    CapturedMedia.add(to: &set)
    DatabaseChecks.add(to: &set)
    CryptographyChecks.add(to: &set)
    OpenSSLChecks.add(to: &set)
    LiteralChecks.add(to: &set)
    BundledSecrets.add(to: &set)
    InterfaceChecks.add(to: &set)
    RequestLoggers.add(to: &set)
    StorageWrites.add(to: &set)
    return set
  }()

  /// Names whose mention anywhere in a project affects findings elsewhere.
  static let namesOfInterest: Set<String> = [
    "NSPersistentStoreFileProtectionKey", "nonPersistent", "nonPersistentDataStore",
    "kSecUseAuthenticationContext", "kSecAttrAccessControl",
  ]

  /// Registers a check for calls of functions and methods with these names, and of initialisers of
  /// types with these names.
  mutating func onCall(_ names: [String], _ check: @escaping CallCheck) {
    for name in names { calls[name, default: []].append(check) }
  }

  /// Registers a check for assignments to variables and properties with these names.
  mutating func onAssignment(_ names: [String], _ check: @escaping AssignmentCheck) {
    for name in names { assignments[name, default: []].append(check) }
  }

  /// Registers a check for every mention of these names in code.
  mutating func onMention(_ names: [String], _ check: @escaping MentionCheck) {
    for name in names { mentions[name, default: []].append(check) }
  }

  /// Records the mentions of these names, which other checks look up.
  mutating func note(_ names: [String]) {
    for name in names { mentions[name, default: []] += [] }
  }

  mutating func onScope(_ check: @escaping ScopeCheck) { scopes.append(check) }
  mutating func onType(_ check: @escaping TypeCheck) { types.append(check) }
  mutating func onFile(_ check: @escaping FileCheck) { files.append(check) }
  mutating func onProject(_ check: @escaping ProjectCheck) { projects.append(check) }
}
