import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let firebasePersistence = RuleID("firebase-persistence")
}

/// Finds Firebase configurations that keep data on the device.
enum FirebasePersistence: CodeRule {
  static let rule = Rule(
    .firebasePersistence, "Firebase data kept on the device",
    severity: .medium, level: .recommended,
    consequence:
      "Data that the app reads from and writes to Firebase is stored in a database that is "
      + "not encrypted. Anyone who has the device's files can read it, even after logout.",
    remedy:
      "If the data is personal, leave isPersistenceEnabled false, or use MemoryCacheSettings for "
      + "Firestore, and call clearPersistence at logout.",
    references: .database,
    bad: .init(
      "Remote.swift",
      """
      import FirebaseDatabase

      func setUp() {
        Database.database().isPersistenceEnabled = true
      }
      """),
    good: .init(
      "Remote.swift",
      """
      import FirebaseDatabase

      func setUp() {
        Database.database().isPersistenceEnabled = false
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onAssignment(["isPersistenceEnabled", "persistenceEnabled"]) { assignment, scope, pass in
      guard pass.inspector.isTrue(assignment.value, in: scope), pass.project.usesFirebase else {
        return
      }
      pass.report(
        .firebasePersistence, at: assignment.expression, in: scope,
        "data that Firebase reads and writes is kept on the device in the clear")
    }
    set.onProject(cached)
    set.onCall(["PersistentCacheSettings"]) { call, scope, pass in
      guard pass.project.usesFirebase else { return }
      pass.report(
        .firebasePersistence, at: call.expression, in: scope,
        "data that Firestore reads and writes is kept on the device in the clear")
    }
  }

  // MARK: The cache that Firestore has by default

  /// Reports an app that keeps records of somebody in Firestore, and leaves its cache as it is.
  private static func cached(_ pass: Pass) {
    let project = pass.project
    guard project.calls["MemoryCacheSettings"] == nil, project.calls["clearPersistence"] == nil,
      project.calls["PersistentCacheSettings"] == nil,
      project.values(assignedTo: "isPersistenceEnabled").isEmpty,
      project.values(assignedTo: "persistenceEnabled").isEmpty
    else { return }
    var known: (evidence: Evidence, call: Scope.Call, scope: Scope)?
    for (file, scopes) in zip(project.files, project.scopes) where isOfFirestore(file) {
      for scope in scopes {
        for call in scope.calls {
          guard let found = kept(by: call, scope, pass) else { continue }
          if known == nil || rank(found) > rank(known?.evidence) { known = (found, call, scope) }
        }
      }
    }
    guard let known else { return }
    let evidence = known.evidence
    pass.report(
      .firebasePersistence, at: known.call.expression.range, in: known.scope.file,
      severity: min(rank(evidence) > 1 ? .medium : .low, pass.highest(in: known.scope)),
      "\(evidence.description) is kept by Firestore, which has a copy on the device in the clear "
        + "unless its cache is in memory", trail: evidence.trail, basis: Basis(.witnessed))
  }

  private static func isOfFirestore(_ file: SourceFile) -> Bool {
    file.imports.contains { $0.hasPrefix("FirebaseFirestore") || $0 == "Firebase" }
  }

  /// Health and messages weigh more than who somebody is.
  private static func rank(_ evidence: Evidence?) -> Int {
    guard let evidence else { return 0 }
    return evidence.sensitivity == .health || evidence.source == .use ? 2 : 1
  }

  /// Returns the evidence of the record that a call writes to Firestore or reads from it, or nil.
  private static func kept(by call: Scope.Call, _ scope: Scope, _ pass: Pass) -> Evidence? {
    switch call.name {
    case "setData", "addDocument":
      guard let value = call["from"] ?? call["data"] ?? call[0] else { return nil }
      if let entries = pass.inspector.dictionary(value, in: scope) {
        return message(Array(entries.keys))
      }
      // `batch.setData(from: sample.resource(), forDocument: document)`
      if scope.file.imports.contains("HealthKit"), call["from"] != nil {
        return Evidence(sensitivity: .health, name: "what HealthKit measured", source: .use)
      }
      return pass.inspector.type(of: value, in: scope).flatMap { record($0, pass) }
    case "data":
      return call["as"]?.lastName.flatMap { record($0, pass) }
    default: return nil
    }
  }

  private static func record(_ type: String, _ pass: Pass) -> Evidence? {
    if let found = ContentRecords.content(type, pass) {
      return Evidence(
        sensitivity: found.sensitivity, name: found.name, source: .use, subject: found.subject,
        owner: found.owner)
    }
    return PersonRecords.person(type, pass)
  }

  /// Returns the evidence that the entries of a dictionary are a text and the one who wrote it.
  private static func message(_ keys: [String]) -> Evidence? {
    let words = keys.map(Words.split)
    guard
      let text = keys.first(where: {
        ["text", "content", "body", "message"].contains($0.lowercased())
      }),
      words.contains(where: { word in
        word.contains { ["sender", "receiver", "recipient", "author"].contains($0) }
      })
    else { return nil }
    return Evidence(
      sensitivity: .personal, name: "the entry \(text) of a message", source: .use, subject: text)
  }
}
