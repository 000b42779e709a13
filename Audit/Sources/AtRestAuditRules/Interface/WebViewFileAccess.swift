import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let webViewFileAccess = RuleID("web-view-file-access")
}

/// Finds web views that can read more files than they show.
enum WebViewFileAccess: CodeRule {
  static let rule = Rule(
    .webViewFileAccess, "Web view that can read the app's files",
    severity: .medium, level: .required,
    consequence:
      "A script in the page can read every file in the folder, such as databases, and send it to a "
      + "server.",
    remedy:
      "Pass allowingReadAccessTo the file itself, or a folder that contains nothing but the page, and "
      + "do not allow access from file URLs.",
    references: .init(
      masvs: ["MSTG-PLATFORM-6"], mastg: ["MASTG-TEST-0333", "MASTG-TEST-0335"], cwe: [200, 552]),
    bad: .init(
      "Page.swift",
      """
      import WebKit

      func show(_ page: URL, in view: WKWebView) {
        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
        view.loadFileURL(page, allowingReadAccessTo: folder)
      }
      """),
    good: .init(
      "Page.swift",
      """
      import WebKit

      func show(_ page: URL, in view: WKWebView) {
        view.loadFileURL(page, allowingReadAccessTo: page)
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onCall(["loadFileURL"]) { call, scope, pass in
      guard let folder = call["allowingReadAccessTo"] ?? call["allowingReadAccessToURL"],
        isWhole(folder, scope, pass)
      else { return }
      pass.report(
        .webViewFileAccess, at: folder, in: scope,
        "the web view can read all files of a folder of the app")
    }
    // `configuration.preferences.setValue(true, forKey: "allowFileAccessFromFileURLs")`
    set.onCall(["setValue"]) { call, scope, pass in
      guard let key = call["forKey"]?.literal, names.contains(key), let value = call[0],
        isTrue(value),
        // The two settings come in pairs.
        !scope.calls.contains(where: { other in
          other.name == "setValue" && other["forKey"]?.literal.map(names.contains) == true
            && other.expression.range.lowerBound < call.expression.range.lowerBound
        })
      else { return }
      pass.report(
        .webViewFileAccess, at: call.expression, in: scope, severity: .low,
        "pages from files can read other files")
    }
  }

  private static let names: Set<String> = [
    "allowFileAccessFromFileURLs", "allowUniversalAccessFromFileURLs",
  ]

  private static func isTrue(_ value: Expression) -> Bool {
    switch value.bare.kind {
    case .boolean(let isTrue): isTrue
    case .number(let text): text == "1"
    default: false
    }
  }

  /// Returns true if a URL is that of a folder in which the app keeps everything: it is made of such a
  /// folder, and no part is appended to it.
  private static func isWhole(
    _ value: Expression, _ scope: Scope, _ pass: Pass, depth: Int = 0
  ) -> Bool {
    guard depth < 6 else { return false }
    switch value.bare.kind {
    case .name(let name):
      if name == "NSHomeDirectory" { return true }
      guard
        case .local(let bindings, _, let home) = pass.inspector.meaning(
          of: name, in: scope, at: value.bare)
      else {
        return pass.inspector.results(of: value, in: scope).contains {
          isWhole($0.value, $0.scope, pass, depth: depth + 1)
        }
      }
      let wholes = bindings.filter { if case .whole = $0.part { true } else { false } }
      return !wholes.isEmpty
        && wholes.allSatisfy { isWhole($0.value, home, pass, depth: depth + 1) }
    case .member(let base?, let name):
      if folders.contains(name) { return true }
      return ["first", "last", "firstObject", "lastObject"].contains(name)
        && isWhole(base, scope, pass, depth: depth + 1)
    case .index(let base, _), .prefix(_, let base):
      return isWhole(base, scope, pass, depth: depth + 1)
    case .call(let callee, let arguments):
      guard let name = callee.lastName else { return false }
      if name == "NSHomeDirectory" { return true }
      if ["urls", "url", "URLsForDirectory", "NSSearchPathForDirectoriesInDomains"].contains(name) {
        return arguments.contains { argument in
          pass.inspector.names(in: argument.value, scope).contains(where: directories.contains)
        }
      }
      guard ["URL", "fileURLWithPath", "firstObject", "lastObject", "first", "last"].contains(name)
      else { return false }
      if let argument = arguments.first {
        return isWhole(argument.value, scope, pass, depth: depth + 1)
      }
      guard case .member(let base?, _) = callee.kind else { return false }
      return isWhole(base, scope, pass, depth: depth + 1)
    default: return false
    }
  }

  private static let folders: Set<String> = [
    "documentsDirectory", "applicationSupportDirectory", "libraryDirectory", "homeDirectory",
  ]

  private static let directories: Set<String> = [
    "documentDirectory", "NSDocumentDirectory", "libraryDirectory", "NSLibraryDirectory",
    "applicationSupportDirectory", "NSApplicationSupportDirectory",
  ]
}
