#if !canImport(Darwin)
  import Foundation
  import Testing

  /// The folders in which the command keeps the store and the device key by default.
  @Suite struct DefaultPlaceTests {
    private func run(
      _ run: CommandRun, _ arguments: String..., with variables: [String: String]
    ) throws -> CommandRun.Result {
      var unset = [
        "ATREST_STORE": "", "ATREST_DEVICE": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": "",
      ]
      unset.merge(variables) { $1 }
      return try run.run(arguments, input: nil, with: unset)
    }

    @Test func storeAndDeviceKeyAreApartInTheHomeOfTheEnvironment() throws {
      let command = try CommandRun()
      let home = ["HOME": command.folder.path]
      #expect(try run(command, "init", "--no-passcode", with: home).status == 0)
      let base = command.folder.path
      let status = try run(command, "status", "--json", with: home).json
      #expect(status["store"] as? String == "\(base)/.local/share/atrest/store")
      #expect(status["device"] as? String == "\(base)/.local/state/atrest/device")
      #expect(try command.names(".local/share/atrest") == ["store"])
      #expect(try command.names(".local/state/atrest/device").contains("device.key"))
      #expect(command.exists(".local/state/atrest/device/CACHEDIR.TAG"))
    }

    @Test func theXDGVariablesAreHonoured() throws {
      let command = try CommandRun()
      let base = command.folder.path
      let variables = [
        "HOME": base, "XDG_DATA_HOME": "\(base)/data", "XDG_STATE_HOME": "\(base)/state",
      ]
      #expect(try run(command, "init", "--no-passcode", with: variables).status == 0)
      #expect(try command.names("data/atrest") == ["store"])
      #expect(try command.names("state/atrest") == ["device"])
      #expect(!command.exists(".local"))
    }

    @Test func statusSaysThatTheyAreOnOneFileSystem() throws {
      let command = try CommandRun()
      let home = ["HOME": command.folder.path]
      let made = try run(command, "init", "--no-passcode", with: home)
      let status = try run(command, "status", "--json", with: home).json
      let risks = try #require(status["risks"] as? [[String: Any]])
      let risk = try #require(risks.first { $0["id"] as? String == "device-key-beside-store" })
      #expect(made.notes.contains(risk["message"] as? String ?? "?"))
    }
  }
#endif
