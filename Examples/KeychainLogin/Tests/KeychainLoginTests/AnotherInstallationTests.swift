#if canImport(AtRestSimulation)
  import AtRestSimulation
  import Foundation
  import KeychainLogin
  import LocalAuthentication
  import Testing

  @Suite struct AnotherInstallationTests {
    private let logins = LoginStore()
    private let key = SessionKey()

    @Test func theFirstLaunchWipesWhatAnEarlierInstallationLeft() throws {
      let phone = try phone()
      try inFolder { folder in
        try phone.run {
          try FirstLaunch(folder: folder).wipeOnce(logins, key)
          try logins.save(login, of: "eva")
          try key.make()
          try FirstLaunch(folder: folder).wipeOnce(logins, key)
          #expect(try logins.users() == ["eva"])
        }
      }
      _ = try phone.reinstall()
      try inFolder { folder in
        try phone.run {
          // Without the next call, another user would be logged in as Eva.
          #expect(try logins.users() == ["eva"])
          try FirstLaunch(folder: folder).wipeOnce(logins, key)
          #expect(try logins.users() == [])
          #expect(throws: KeychainRefusal.notFound) { try key.read(LAContext()) }
        }
      }
    }

    @Test func aFirstLaunchBeforeTheFirstUnlockWipesNonetheless() throws {
      let phone = try phone()
      try phone.run { try logins.save(login, of: "eva") }
      _ = try phone.reinstall()
      try inFolder { folder in
        try phone.run {
          try phone.restart()
          try? FirstLaunch(folder: folder).wipeOnce(logins, key)
          try phone.unlock()
          try FirstLaunch(folder: folder).wipeOnce(logins, key)
          #expect(try logins.users() == [])
        }
      }
    }

    @Test func aBackupBringsLoginsBackOnThisPhoneAlone() throws {
      let phone = try phone()
      try phone.run {
        try logins.save(login, of: "eva")
        try key.make()
      }
      let backup = try phone.backup(passphrase: "four words of my own")
      let next = try SimulatedDevice(
        restoring: backup, passphrase: "four words of my own", passcode: "5678")
      #expect(throws: KeychainRefusal.notFound) {
        try next.run { try logins.login(of: "eva") }
      }
      try phone.restore(backup, passphrase: "four words of my own")
      let restored = try phone.run { try logins.login(of: "eva") }
      #expect(restored == login)
      // A backup does not contain items that need a passcode.
      #expect(throws: KeychainRefusal.notFound) {
        try phone.run { try key.read(LAContext()) }
      }
    }

    /// Calls a closure with the folder of an installation, and deletes the folder afterwards.
    private func inFolder(_ body: (URL) throws -> Void) throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("KeychainLogin-\(UUID())")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try body(folder)
    }
  }
#endif
