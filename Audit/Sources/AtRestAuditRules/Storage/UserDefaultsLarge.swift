import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let userDefaultsLarge = RuleID("userdefaults-large")
}

/// Images or whole files in UserDefaults.
enum UserDefaultsLarge: CodeRule {
  static let rule = Rule(
    .userDefaultsLarge, "Images or whole files in UserDefaults",
    severity: .low, level: .recommended,
    consequence:
      "All of UserDefaults is read at each launch and rewritten at each change, so the app "
      + "becomes slow and may lose what it saved last.",
    remedy:
      "Write the data to a file with Data.write(to:options:) and .completeFileProtection, "
      + "and store only the file's name in UserDefaults.",
    references: .init(masvs: ["MSTG-STORAGE-1"]),
    bad: .init(
      "Profile.swift",
      """
      func save(avatar: UIImage) {
        UserDefaults.standard.set(avatar.pngData(), forKey: "avatar")
      }
      """),
    good: .init(
      "Profile.swift",
      """
      func save(avatar: UIImage, to file: URL) throws {
        try avatar.pngData()?.write(to: file, options: .completeFileProtection)
        UserDefaults.standard.set(file.lastPathComponent, forKey: "avatar")
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["set", "setObject", "setValue"]) { call, scope, pass in
      guard call["forKey"] != nil, let value = call[0],
        pass.inspector.isPreferences(call.receiver, in: scope),
        let what = largeKind(value, scope, pass)
      else { return }
      report(what, at: call.expression, scope, pass)
    }
    // `@AppStorage("avatar") var avatar = Data()`, `avatar = image.pngData()`
    set.onScope { scope, pass in
      for assignment in scope.assignments where assignment.target?.path ?? "self" == "self" {
        guard
          case .property(let variable, _, _) = pass.inspector.meaning(
            of: assignment.name, in: scope),
          variable.attributes.contains(where: {
            $0.name == "AppStorage" || $0.name == "SceneStorage"
          }), let what = largeKind(assignment.value, scope, pass)
        else { continue }
        report(what, at: assignment.expression, scope, pass)
      }
    }
  }

  private static func report(
    _ what: String, at place: Expression, _ scope: Scope, _ pass: Pass
  ) {
    pass.report(
      .userDefaultsLarge, at: place, in: scope,
      "\(what) is stored in UserDefaults, all of which is read into memory at each launch and "
        + "rewritten at each change")
  }

  private static func largeKind(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> String? {
    guard depth < 6 else { return nil }
    func inner(_ value: Expression) -> String? { largeKind(value, scope, pass, depth: depth + 1) }
    switch value.bare.kind {
    case .name(let name):
      guard
        case .local(let bindings, _, let home) = pass.inspector.meaning(
          of: name, in: scope, at: value.bare)
      else { return nil }
      return bindings.prefix(4).lazy.compactMap {
        largeKind($0.value, home, pass, depth: depth + 1)
      }.first
    case .binary(let left, "??", _): return inner(left)
    case .array(let elements): return elements.first.flatMap(inner)
    case .call(let callee, let arguments):
      let name = callee.lastName ?? ""
      if case .member(let base?, _) = callee.kind {
        if ["map", "compactMap"].contains(name),
          case .closure(let closure)? = arguments.last?.value.kind
        {
          return closure.body.results.lazy.compactMap(inner).first
        }
        if name == "dataRepresentation", arguments.isEmpty { return document(base, scope, pass) }
        if Inspector.views.contains(name) { return inner(base) }
      }
      if name.hasPrefix("archivedData"), let root = arguments.first?.value,
        ["UIImage", "NSImage"].contains(
          pass.inspector.type(of: root, in: scope).map(TypeName.plain))
      {
        return "an image"
      }
      switch name {
      case "pngData", "jpegData", "UIImagePNGRepresentation", "UIImageJPEGRepresentation":
        return "an image"
      case "Data", "NSData", "String", "dataWithContentsOfFile", "dataWithContentsOfURL",
        "initWithContentsOfFile":
        return arguments.first?.label?.hasPrefix("contentsOf") == true
          || name.contains("WithContents") ? "a whole file" : nil
      default: return nil
      }
    default: return nil
    }
  }

  /// Returns the kind of a document that is turned into data, or nil if it is none.
  private static func document(_ base: Expression, _ scope: Scope, _ pass: Pass) -> String? {
    let type = pass.inspector.type(of: base, in: scope).map(TypeName.plain) ?? ""
    if type == "PDFDocument" { return "a document" }
    return type == "PKDrawing" || base.lastName == "drawing" ? "a drawing" : nil
  }
}
