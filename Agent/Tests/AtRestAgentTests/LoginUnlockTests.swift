import Foundation
import Testing

/// A login whose password is the passcode unlocks the store, and no other login changes anything but one count.
@Suite(.enabled(if: LoginRun.isInstalled, "pamtester, libpam-wrapper or libpam0g-dev is missing"))
struct LoginUnlockTests {
  private let run: AgentRun
  private let atrest: CommandLineProgram

  init() throws {
    run = try AgentRun()
    atrest = try CommandLineProgram(run)
  }

  private func login(password: String = AgentRun.passcode, _ options: String = "") throws
    -> LoginRun
  {
    var login = try LoginRun(run, password: password, options: "program=\(atrest.path) \(options)")
    login.session = atrest.values
    return login
  }

  private func isUnlocked() throws -> Bool {
    let text = try atrest("agent").text
    try #require(text.contains("state "), "\(text)")
    return text.contains(" unlocked since")
  }

  private func wrongPasscodes() throws -> Int {
    let status = try atrest("status")
    try #require(status.status == 0, "\(status.text)")
    let line = status.text.split(separator: "\n").first { $0.hasPrefix("Wrong passcodes: ") }
    return try line.map { try #require(Int($0.dropFirst(17))) } ?? 0
  }

  @Test func aLoginStartsTheAgentAndUnlocksTheStore() throws {
    let login = try login("start idle=77")
    defer { _ = try? atrest("agent", "stop") }
    let result = try login(AgentRun.passcode)
    #expect(result.status == 0, "\(result.text)")
    #expect(try isUnlocked())
    #expect(try atrest("agent").text.contains("after 77 seconds"))
    // The next login finds the store unlocked, and tries nothing.
    #expect(try login(AgentRun.passcode).status == 0)
    let log = try atrest("log").text
    #expect(log.components(separatedBy: " unlock ").count == 2, "\(log)")
    #expect(!log.contains(AgentRun.passcode))
  }

  /// An agent that was started with other options than those of the module is unlocked too.
  @Test func aLoginUnlocksAnAgentWithOtherOptions() throws {
    let login = try login("start idle=77")
    #expect(try atrest("agent", "start", "--idle", "78").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    #expect(try login(AgentRun.passcode).status == 0)
    #expect(try isUnlocked())
  }

  /// A program that unlocks the screen opens no session.
  @Test func anUnlockOfTheScreenUnlocksTheStore() throws {
    let login = try login()
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    #expect(try login(AgentRun.passcode, steps: ["authenticate"]).status == 0)
    #expect(try !isUnlocked())
    let steps = ["authenticate", "setcred(PAM_REFRESH_CRED)"]
    #expect(try login(AgentRun.passcode, steps: steps).status == 0)
    #expect(try isUnlocked())
  }

  @Test func aRefusedLoginTriesNothing() throws {
    let login = try login()
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    #expect(try login("another password").status != 0)
    #expect(try !isUnlocked())
    #expect(try wrongPasscodes() == 0)
  }

  /// Otherwise the logins of a user whose password is not the passcode would use up the attempts.
  @Test func anotherPasswordIsTriedOnce() throws {
    let login = try login(password: "another password")
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    for _ in 0..<3 {
      let result = try login("another password")
      #expect(result.status == 0, "\(result.text)")
      #expect(try wrongPasscodes() == 1)
    }
    #expect(try !isUnlocked())
    // Control: after the right passcode, one is tried again.
    #expect(try atrest.withPasscode("unlock").status == 0)
    #expect(try atrest("lock").status == 0)
    #expect(try wrongPasscodes() == 0)
    #expect(try login("another password").status == 0)
    #expect(try wrongPasscodes() == 1)
  }

  @Test func severalLoginsAtOnceTryOnce() throws {
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    let result = try atrest.script(
      """
      for i in 1 2 3 4 5 6; do
        printf 'another password' | "$ATREST" unlock --at-login --passcode-file - & done 2>&1
      wait
      """)
    #expect(
      result.text.components(separatedBy: "is not tried").count == 6, "\(result.text)")
    #expect(try wrongPasscodes() == 1)
  }

  /// The last attempt is not given to a login.
  @Test func aStoreThatAllowsOneAttemptIsNotWiped() throws {
    var other = atrest
    other.values["ATREST_STORE"] = run.folder.path + "/narrow/store"
    other.values["ATREST_DEVICE"] = run.folder.path + "/narrow/device"
    #expect(try other.withPasscode("init", "--attempt-limit", "1").status == 0)
    #expect(try other("agent", "start").status == 0)
    defer { _ = try? other("agent", "stop") }
    let refused = try other.withPasscode("unlock", "--at-login")
    #expect(refused.status == 5 && refused.text.contains("is not tried"), "\(refused)")
    #expect(try other.withPasscode("unlock").status == 0)
  }

  @Test func aLoginDoesNotWaitForAnAgentThatHangs() throws {
    let agent = try AgentProgram(run.location, in: run.folder)
    var login = try login("timeout=1")
    login.session["ATREST_STORE"] = run.location.store.path
    kill(agent.identifier, SIGSTOP)
    let start = ContinuousClock.now
    let result = try login(AgentRun.passcode)
    #expect(result.status == 0, "\(result.text)")
    #expect(ContinuousClock.now - start < .seconds(8))
    #expect(ContinuousClock.now - start > .milliseconds(900))
    kill(agent.identifier, SIGCONT)
  }

  @Test(arguments: ["program=/nonexistent/atrest", "program=/bin/false", "unlock=now", "timeout=0"])
  func aLoginSucceedsWithoutTheStore(_ option: String) throws {
    #expect(try atrest("agent", "start").status == 0)
    defer { _ = try? atrest("agent", "stop") }
    let login = try login(option)
    let result = try login(AgentRun.passcode)
    #expect(result.status == 0, "\(result.text)")
    #expect(try !isUnlocked())
  }
}
