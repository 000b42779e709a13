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
        StorageChecks.isDefaults(call.receiver, scope, pass),
        let what = largeKind(value, scope, pass)
      else { return }
      pass.report(
        .userDefaultsLarge, at: call.expression, in: scope,
        "\(what) is stored in UserDefaults, all of which is read into memory at each launch and "
          + "rewritten at each change")
    }
  }

  private static func largeKind(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> String? {
    var value = value
    if case .name = value.kind,
      case .local(let bindings, _, _) = pass.inspector.meaning(of: value.path ?? "", in: scope),
      let first = bindings.first
    {
      value = first.value
    }
    guard depth < 4, case .call(let callee, let arguments) = value.bare.kind else { return nil }
    if case .member(let base?, let name) = callee.kind, Inspector.views.contains(name) {
      return largeKind(base, scope, pass, depth: depth + 1)
    }
    switch callee.lastName {
    case "pngData", "jpegData", "UIImagePNGRepresentation", "UIImageJPEGRepresentation":
      return "an image"
    case "Data", "NSData", "dataWithContentsOfFile", "dataWithContentsOfURL",
      "initWithContentsOfFile":
      return arguments.first?.label?.hasPrefix("contentsOf") == true
        || callee.lastName?.contains("WithContents") == true ? "a whole file" : nil
    default: return nil
    }
  }
}
