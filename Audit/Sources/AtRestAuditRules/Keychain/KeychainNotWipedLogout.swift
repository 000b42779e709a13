import AtRestAuditAnalysis
import AtRestAuditModel

extension RuleID {
  static let keychainNotWipedLogout = RuleID("keychain-not-wiped-logout")
}

/// Finds logout functions after which keychain items remain.
enum KeychainNotWipedLogout: CodeRule {
  static let rule = Rule(
    .keychainNotWipedLogout, "Keychain items that remain after logout",
    severity: .note, level: .required,
    consequence:
      "Anyone who uses the device after the logout can act as the person who logged out, whose "
      + "tokens are still in the keychain.",
    remedy: "Delete the account's items with SecItemDelete when the person logs out.",
    references: .init(masvs: ["MSTG-STORAGE-1"], cwe: [459, 613]),
    bad: .init(
      "Account.swift",
      """
      class Account {
        var user: String?

        func logIn(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }

        func logout() {
          user = nil
        }
      }
      """),
    good: .init(
      "Account.swift",
      """
      class Account {
        var user: String?

        func logIn(_ item: [CFString: Any]) { SecItemAdd(item as CFDictionary, nil) }

        func logout() {
          user = nil
          SecItemDelete([kSecClass: kSecClassGenericPassword] as CFDictionary)
        }
      }
      """))

  static func add(to set: inout CheckSet) {
    set.onProject(notWipedAtLogout)
  }

  private static func notWipedAtLogout(_ pass: Pass) {
    let project = pass.project
    guard KeychainChecks.writesKeychain(project) else { return }
    for name in project.functions.keys.sorted() where isLogout(name) {
      for declared in project.functions[name] ?? [] {
        guard let body = declared.function.body, !body.statements.isEmpty,
          endsSession(declared.scope), !KeychainChecks.deletes(declared.scope, pass)
        else { continue }
        // A function that cleans up through a function outside the project is not judged.
        if declared.scope.calls.contains(where: {
          if cleaners.contains($0.name) || isDefaults($0.receiver) || isOfService($0.receiver) {
            return false
          }
          let words = Words.split($0.name)
          return words.contains("logout") || words.contains("signout")
            || words.contains("clear") || words.contains("remove") || words.contains("delete")
            || words.suffix(2) == ["log", "out"] || words.suffix(2) == ["sign", "out"]
            || words.contains(where: endings.contains)
        }) {
          continue
        }
        let start = declared.function.nameOffset
        pass.report(
          .keychainNotWipedLogout,
          at: start..<(start + Int32(clamping: declared.function.name.utf8.count)),
          in: declared.scope.file,
          "“\(declared.function.name)” does not delete the keychain items, so they remain for "
            + "anyone who logs in next")
      }
    }
  }

  /// Returns true if a function with this name logs out: `logout`, `signOutUser`,
  /// `didTapLogOutButton`.
  private static func isLogout(_ name: String) -> Bool {
    guard name.utf8.count < 40, name.lowercased().contains("out") else { return false }
    var words = Words.split(name)
    for (first, second) in [("log", "out"), ("sign", "out")] {
      if let index = words.firstIndex(of: first), index + 1 < words.count,
        words[index + 1] == second
      {
        words[index...(index + 1)] = [first + second]
      }
    }
    return words.contains { $0 == "logout" || $0 == "signout" }
      && words.allSatisfy(wordsOfLogout.contains)
  }

  /// Words for what ends a session.
  private static let endings: Set<String> = [
    "reset", "unset", "end", "close", "invalidate", "forget", "disconnect", "wipe", "purge",
    "erase", "destroy", "deactivate", "deauthenticate", "unlink",
  ]

  /// System methods that remove something other than keychain items.
  private static let cleaners: Set<String> = [
    "removeFromSuperview", "removeObserver", "deleteCookie",
    "removeAllCachedResponses", "removeAllDeliveredNotifications", "removeFromParent",
    "removeAllPendingNotificationRequests", "removePersistentDomain", "resetStandardUserDefaults",
    "NSBatchDeleteRequest", "DELETE", "initWithFetchRequest",
    "removeFirst", "removeLast", "eraseToAnyPublisher", "removeItemAtPath", "removeItemAtURL",
    "removeData",
  ]

  private static func isDefaults(_ receiver: Expression?) -> Bool {
    let name = (receiver?.written ?? "").lowercased()
    return name.contains("defaults") || name.contains("preferences")
  }

  /// Returns true for a service that signs out of itself, and knows nothing of the app's own items.
  private static func isOfService(_ receiver: Expression?) -> Bool {
    let written = receiver?.written ?? ""
    return ["Auth.auth", "FIRAuth", "GIDSignIn", "LoginManager", "FBSDKLoginManager"].contains {
      written.hasPrefix($0)
    }
  }

  private static let wordsOfLogout: Set<String> = [
    "logout", "signout", "user", "perform", "do", "did", "tap", "tapped", "press", "pressed",
    "handle", "on", "button", "action", "clicked", "click", "account", "current", "confirm",
    "confirmed", "and", "now", "touched", "with", "completion", "handler",
  ]

  /// Returns true if a function discards a user, rather than only locking a screen.
  private static func endsSession(_ scope: Scope) -> Bool {
    func tells(_ name: String) -> Bool {
      Words.split(name).contains {
        ["user", "token", "session", "account", "credentials", "profile", "login", "root", "auth"]
          .contains($0)
      }
    }
    return scope.assignments.contains { tells($0.name) }
      || scope.calls.contains { call in
        tells(call.name) || call.receiver?.lastName.map(tells) == true
          || call["forKey"]?.literal.map(tells) == true
      }
  }
}
