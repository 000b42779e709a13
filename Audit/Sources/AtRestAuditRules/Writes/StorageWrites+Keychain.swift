import AtRestAuditAnalysis
import AtRestAuditModel

extension StorageWrites {
  /// `SecItemAdd`, `SecItemUpdate`, and wrappers whose key is the account.
  static func addKeychain(to set: inout CheckSet) {
    set.onCall(["SecItemAdd", "SecItemUpdate"]) { call, scope, pass in
      guard let query = call[0], let entries = pass.inspector.dictionary(query, in: scope) else {
        return
      }
      func name(_ keys: String...) -> String? {
        keys.lazy.compactMap { key in
          entries[key].flatMap { text($0.value, in: $0.scope, pass) }
        }.first
      }
      let service = name("kSecAttrService", "kSecAttrServer")
      let account = name("kSecAttrAccount")
      guard service != nil || account != nil else { return }
      pass.record(
        .keychainItem(service: service, account: account), at: call.expression, in: scope)
    }
    set.onCall(["set"]) { call, scope, pass in
      guard let key = call["forKey"], let receiver = call.receiver,
        let type = pass.inspector.type(of: receiver, in: scope).map(TypeName.plain),
        type == "KeychainSwift" || type == "KeychainWrapper"
      else { return }
      forEachText(key, at: call.expression, in: scope, pass) { key, place, scope in
        pass.record(.keychainItem(service: nil, account: key), at: place, in: scope)
      }
    }
  }
}
