import AtRestAuditAnalysis
import AtRestAuditModel

extension StorageWrites {
  /// Cookies that the code makes, and the servers whose responses the system caches.
  static func addNetwork(to set: inout CheckSet) {
    set.onCall(["HTTPCookie", "cookieWithProperties", "initWithProperties"]) { call, scope, pass in
      guard let properties = call[0],
        let entries = pass.inspector.dictionary(properties, in: scope)
      else { return }
      func value(_ keys: String...) -> String? {
        keys.lazy.compactMap { key in
          entries[key].flatMap { text($0.value, in: $0.scope, pass) }
        }.first
      }
      guard let name = value("name", "NSHTTPCookieName") else { return }
      pass.record(
        .cookie(domain: value("domain", "NSHTTPCookieDomain"), name: name), at: call.expression,
        in: scope)
    }
    set.onScope { scope, pass in
      for string in scope.strings { server(string, in: scope.file, pass) }
    }
    set.onFile { file, pass in
      func constants(_ types: [TypeDeclaration]) -> [Variable] {
        types.flatMap { $0.variables + constants($0.types) }
      }
      for variable in file.variables + constants(file.types) {
        if let value = variable.value { server(value.firstArgument ?? value, in: file, pass) }
      }
    }
  }

  /// Records the server of an address that is written out.
  private static func server(_ string: Expression, in file: SourceFile, _ pass: Pass) {
    guard let text = string.firstText,
      let scheme = ["https://", "http://"].first(where: text.hasPrefix)
    else { return }
    let rest = text.dropFirst(scheme.count)
    let host = rest.prefix { $0.isLetter || $0.isNumber || $0 == "." || $0 == "-" }.lowercased()
    // `"https://api.\(name)"` does not name its server, and what follows a name may be a password.
    if case .string(let pieces) = string.kind, pieces.count > 1, host.count == rest.count { return }
    guard host.contains("."), !rest.prefix(while: { $0 != "/" }).contains("@") else { return }
    pass.record(StorageWrite(.response(host: host), at: file.location(of: string.range)))
  }
}
