import Foundation
import KeychainLogin
import Security
import Testing

@Suite struct LoginTests {
  @Test func whatWasSavedIsRead() throws {
    try onAnyPhone { logins in
      try logins.save(login, of: "eva")
      #expect(try logins.login(of: "eva") == login)
    }
  }

  @Test func savingAgainReplaces() throws {
    try onAnyPhone { logins in
      try logins.save(login, of: "eva")
      var later = login
      later.token = "fresh"
      try logins.save(later, of: "eva")
      #expect(try logins.login(of: "eva") == later)
      #expect(try logins.users() == ["eva"])
    }
  }

  @Test func eachUserHasTheirOwn() throws {
    try onAnyPhone { logins in
      try logins.save(login, of: "eva")
      try logins.save(login, of: "adam")
      #expect(try logins.users() == ["adam", "eva"])
      try logins.delete("eva")
      #expect(throws: KeychainRefusal.notFound) { try logins.login(of: "eva") }
      #expect(try logins.login(of: "adam") == login)
    }
  }

  @Test func whoNeverLoggedInIsNotFound() throws {
    try onAnyPhone { logins in
      #expect(throws: KeychainRefusal.notFound) { try logins.login(of: "eva") }
      #expect(throws: KeychainRefusal.notFound) { try logins.delete("eva") }
      let users = try logins.users()
      #expect(users.isEmpty)
    }
  }

  @Test func wipingLogsEverybodyOut() throws {
    try onAnyPhone { logins in
      try logins.save(login, of: "eva")
      try logins.save(login, of: "adam")
      try logins.wipe()
      #expect(try logins.users() == [])
      try logins.wipe()
    }
  }

  @Test func whatCannotBeReadIsDamagedAndNotMissing() throws {
    try onAnyPhone { logins in
      try logins.save(login, of: "eva")
      // An older version of the application, or a bug, could have left such an item.
      let all = [kSecClass as String: kSecClassGenericPassword] as [String: Any]
      let garbage = [kSecValueData as String: Data("{".utf8)]
      let eva = all.merging([kSecAttrAccount as String: "eva"]) { $1 }
      #expect(SecItemUpdate(eva as CFDictionary, garbage as CFDictionary) == errSecSuccess)
      #expect(throws: KeychainRefusal.damaged) { try logins.login(of: "eva") }
      try logins.save(login, of: "eva")
      #expect(try logins.login(of: "eva") == login)
    }
  }
}
