#if os(Linux)
  import Foundation
  import Testing

  /// Runs the command as a user without rights of its own. Only root can start such a process.
  @Suite(.enabled(if: OtherUser.isAvailable, "root can run the program as another user"))
  struct OtherUserTests {
    /// A folder of mode 711 can be entered, but its names cannot be listed.
    @Test func aFileInAFolderThatCannotBeListedIsRead() throws {
      let run = try protectedFile(folderMode: 0o711)
      let result = try run.execute(OtherUser.command, try OtherUser.arguments(unprotect))
      #expect(result.status == 0, "\(result.notes)")
      #expect(result.text == "the contents")
    }

    /// Control: a folder that cannot be entered.
    @Test func aFileInAFolderThatCannotBeEnteredIsNotPermitted() throws {
      let run = try protectedFile(folderMode: 0o700)
      let result = try run.execute(OtherUser.command, try OtherUser.arguments(unprotect))
      #expect(result.status == 5, "\(result.notes)")
      #expect(!result.notes.contains("not found") && !result.notes.contains("no file"))
    }

    /// A store that cannot be reached may exist: it is neither missing nor to be created.
    @Test(arguments: ["get", "list", "status", "init", "wipe"])
    func aStoreInAFolderThatCannotBeEnteredIsNotMissing(_ command: String) throws {
      let run = try CommandRun.withStore()
      _ = try run("add", "--service", "s", "--account", "a", input: "one")
      chmod(run.folder.appendingPathComponent("device").path, 0o755)
      try run.makeFolder("outer")
      try FileManager.default.moveItem(
        at: run.folder.appendingPathComponent("store"),
        to: run.folder.appendingPathComponent("outer/store"))
      chmod(run.folder.appendingPathComponent("outer").path, 0o700)
      let more = [
        "get": ["--service", "s", "--account", "a"], "init": ["--no-passcode"], "wipe": ["--yes"],
      ]
      let result = try run.execute(
        OtherUser.command, try OtherUser.arguments([command] + (more[command] ?? [])),
        with: ["ATREST_STORE": run.folder.appendingPathComponent("outer/store").path])
      #expect(result.status == 5, "\(result.notes)")
      #expect(run.exists("outer/store/keybag"))
    }

    /// A key is destroyed before the files are removed. If they cannot be removed, the answer is not
    /// that nothing happened.
    @Test func aWipeThatCannotRemoveFilesSaysThatTheStoreIsWiped() throws {
      let run = try CommandRun()
      chown(run.folder.path, 65534, 65534)
      let store = run.folder.appendingPathComponent("store").path
      func other(_ arguments: String...) throws -> CommandRun.Result {
        try run.execute(OtherUser.command, OtherUser.arguments(arguments))
      }
      try #require(try other("init", "--no-passcode").status == 0)
      chmod(store, 0o500)
      let result = try other("wipe", "--yes")
      chmod(store, 0o700)
      #expect(result.status == 1)
      #expect(result.notes.contains("is wiped and opens nothing"), "\(result.notes)")
      #expect(try other("list").status == 6)
    }

    @Test func aDatabaseThatMayNotBeReadIsNotPermitted() throws {
      let run = try CommandRun()
      chown(run.folder.path, 65534, 65534)
      let database = run.folder.appendingPathComponent("store/keychain.db").path
      func other(_ arguments: String...) throws -> CommandRun.Result {
        try run.execute(OtherUser.command, OtherUser.arguments(arguments))
      }
      try #require(try other("init", "--no-passcode").status == 0)
      chmod(database, 0)
      #expect(try other("list").status == 5)
      chmod(database, 0o600)
      #expect(try other("list").status == 0)
      #expect(try other("init", "--no-passcode", "--store", "/root/a/b").status == 5)
    }

    /// Root's process was killed, and its lock stays.
    @Test func aLockOfRootsIsNamed() throws {
      let run = try CommandRun()
      chown(run.folder.path, 65534, 65534)
      let key = try run.file("key", String(repeating: "0f", count: 32))
      chmod(key, 0o644)
      let lock = run.folder.appendingPathComponent("notes.db.atrest-lock").path
      #expect(FileManager.default.createFile(atPath: lock, contents: nil))
      chmod(lock, 0o600)
      func make() throws -> CommandRun.Result {
        try run.execute(
          OtherUser.command,
          OtherUser.arguments([
            "database", "shell", "--new", "--raw-key-file", key, "notes.db", "SELECT 7",
          ]))
      }
      let refused = try make()
      #expect(refused.status == 5)
      #expect(refused.notes.contains("If there is none, remove the file"), "\(refused.notes)")
      // Control.
      #expect(unlink(lock) == 0)
      #expect(try make().text == "7\n")
    }

    private let unprotect = [
      "unprotect", "--passphrase-file", "phrase", "-o", "-", "inner/plain.protected",
    ]

    private func protectedFile(folderMode: mode_t) throws -> CommandRun {
      let run = try CommandRun()
      try run.makeFolder("inner")
      _ = try run.file("inner/plain", "the contents")
      _ = try run.file("phrase", "seven oddly named lighthouses\n")
      let made = try run("protect", "--passphrase-file", "phrase", "inner/plain")
      try #require(made.status == 0, "\(made.notes)")
      for name in ["phrase", "inner/plain.protected"] {
        chmod(run.folder.appendingPathComponent(name).path, 0o644)
      }
      chmod(run.folder.appendingPathComponent("inner").path, folderMode)
      return run
    }
  }

  /// The user `nobody`, for a child process.
  private enum OtherUser {
    static let command = "/usr/bin/setpriv"

    static func arguments(_ arguments: [String]) throws -> [String] {
      ["--reuid", "65534", "--regid", "65534", "--clear-groups", try CommandRun.binary().path]
        + arguments
    }

    /// True if this process is root's, and the other user can reach the program.
    static let isAvailable: Bool = {
      guard geteuid() == 0, let run = try? CommandRun(),
        let arguments = try? arguments(["--version"])
      else { return false }
      return (try? run.execute(command, arguments).status) == 0
    }()
  }
#endif
