import AtRestCrypto
import Foundation
import Testing

@testable import AtRestAgent

/// A client that wants a locked store unlocked gets a prompt, if there is somebody to ask.
@Suite(.enabled(if: SecretServiceRun.isInstalled)) struct SecretServicePromptTests {
  private static let head = """
    import jeepney
    from jeepney.io.blocking import open_dbus_connection
    from jeepney import DBusAddress, new_method_call
    from jeepney.wrappers import DBusErrorResponse, unwrap_msg
    login = "/org/freedesktop/secrets/collection/login"
    def call(path, interface, name, signature=None, *body, over=bus):
      address = DBusAddress(path, "org.freedesktop.secrets", "org.freedesktop.Secret." + interface)
      return unwrap_msg(over.send_and_get_reply(new_method_call(address, name, signature, body)))
    def unlock(paths): return call("/org/freedesktop/secrets", "Service", "Unlock", "ao", paths)
    def refusal(body):
      try: return body()
      except DBusErrorResponse as error: return error.name
    def completed(prompt, body, timeout=60):
      rule = jeepney.MatchRule(type="signal", interface="org.freedesktop.Secret.Prompt", path=prompt)
      with bus.filter(rule) as signals:
        body()
        return bus.recv_until_filtered(signals, timeout=timeout).body

    """

  private func lockedRun(passcode: String? = AgentRun.passcode) throws -> SecretServiceRun {
    let secrets = try SecretServiceRun(asks: true)
    try secrets.tool("store", "--label=Mail", "service", "mail", input: "mail secret")
    try secrets.lock()
    if let passcode { try secrets.run.asker.set("passcode", passcode + "\n") }
    return secrets
  }

  @Test func aPasscodeUnlocksTheStore() throws {
    let secrets = try lockedRun()
    #expect(try secrets.tool("lookup", "service", "mail").text == "mail secret")
    let questions = secrets.run.asker.questions
    #expect(questions.count == 1)
    #expect(questions.first?.contains("secret-tool\" asks to unlock the store.") == true)
    // It is unlocked for all, and nobody is asked again.
    #expect(try secrets.tool("store", "--label=b", "k", "v", input: "2").status == 0)
    #expect(secrets.run.asker.questions.count == 1)
  }

  /// libsecret unlocks the collection, and stores then.
  @Test func anItemIsStoredAfterTheQuestion() throws {
    let secrets = try lockedRun()
    #expect(try secrets.tool("store", "--label=b", "k", "v", input: "new").status == 0)
    #expect(try secrets.tool("lookup", "k", "v").text == "new")
    #expect(secrets.run.asker.questions.count == 1)
  }

  @Test func theAnswerHasThePathsThatWereAsked() throws {
    let secrets = try lockedRun()
    let text = try secrets.python(
      Self.head + """
        default = "/org/freedesktop/secrets/aliases/default"
        unlocked, prompt = unlock([default, login])
        print(unlocked, prompt)
        print(completed(prompt, lambda: call(prompt, "Prompt", "Prompt", "s", "")))
        print(refusal(lambda: call(prompt, "Prompt", "Prompt", "s", "")))
        print(unlock([default, login]))
        """)
    let paths =
      "['/org/freedesktop/secrets/aliases/default', '/org/freedesktop/secrets/collection/login']"
    #expect(
      text.components(separatedBy: "\n") == [
        "[] /org/freedesktop/secrets/prompt/1", "(False, ('ao', \(paths)))",
        "org.freedesktop.Secret.Error.NoSuchObject", "(\(paths), '/')",
      ])
  }

  /// After some refusals, the user is left alone for a while, and the program gets an error.
  @Test func aRefusalDismissesThePrompt() throws {
    let secrets = try lockedRun(passcode: nil)
    let text = try secrets.python(
      Self.head + """
        for _ in range(3):
          _, prompt = unlock([login])
          print(completed(prompt, lambda: call(prompt, "Prompt", "Prompt", "s", "")))
        print(refusal(lambda: unlock([login])))
        print(secretstorage.get_default_collection(bus).is_locked())
        """)
    #expect(
      text.components(separatedBy: "\n") == [
        "(True, ('ao', []))", "(True, ('ao', []))", "(True, ('ao', []))",
        "org.freedesktop.Secret.Error.IsLocked", "True",
      ])
    #expect(secrets.run.asker.questions.count == 3)
  }

  @Test func aWrongPasscodeIsAskedForAgain() throws {
    let secrets = try lockedRun(passcode: "wrong")
    _ = try secrets.tool("lookup", "service", "mail")
    let questions = secrets.run.asker.questions
    #expect(questions.count == 3)
    #expect(questions.first?.contains("wrong") == false)
    #expect(questions.dropFirst().allSatisfy { $0.hasPrefix("The passcode is wrong.") })
  }

  /// An empty line is no passcode, and counts as no attempt.
  @Test func anEmptyAnswerIsNoAttempt() throws {
    let secrets = try lockedRun(passcode: "")
    _ = try secrets.tool("lookup", "service", "mail")
    #expect(secrets.run.asker.questions.count == 1)
  }

  /// The question disappears with the program that caused it: the next one is asked while the file still exists for
  /// which the first one waits.
  @Test(arguments: ["call(prompt, 'Prompt', 'Dismiss')", "bus.close()"])
  func aQuestionIsWithdrawn(how: String) throws {
    let secrets = try lockedRun()
    let asker = secrets.run.asker
    try asker.set("wait")
    let script =
      Self.head + """
        import os, time
        _, prompt = unlock([login])
        call(prompt, "Prompt", "Prompt", "s", "")
        while not os.path.exists("\(asker.path).open"): time.sleep(0.01)
        os.rmdir("\(asker.path).open")

        """
    try secrets.python(script + how)
    #expect(asker.questions.count == 1)
    let text = try secrets.python(
      script + """
        os.unlink("\(asker.path).wait")
        os.mkdir("\(asker.path).open")
        """)
    #expect(text.isEmpty)
    #expect(asker.questions.count == 2)
  }

  /// Nobody is asked for the passcode of a store that is gone.
  @Test func aWipeWithdrawsTheQuestion() throws {
    let secrets = try lockedRun()
    let asker = secrets.run.asker
    try asker.set("wait")
    let location = secrets.run.location
    let atrest = try CommandLineProgram(secrets.run).path
    let text = try secrets.python(
      Self.head + """
        import os, subprocess, time
        _, prompt = unlock([login])
        def wipe():
          call(prompt, "Prompt", "Prompt", "s", "")
          while not os.path.exists("\(asker.path).open"): time.sleep(0.01)
          subprocess.run(
            ["\(atrest)", "wipe", "--yes", "--store", "\(location.store.path)", "--device",
             "\(location.device.path)"], check=True, stderr=subprocess.DEVNULL)
        # Less than the 45 seconds after which each question ends.
        print(completed(prompt, wipe, timeout=30))
        """)
    #expect(text == "(True, ('ao', []))")
  }

  /// A program cannot keep the user busy by withdrawing its questions.
  @Test func aWithdrawnQuestionCounts() throws {
    let secrets = try lockedRun()
    let asker = secrets.run.asker
    try asker.set("wait")
    let text = try secrets.python(
      Self.head + """
        import os, time
        for _ in range(3):
          _, prompt = unlock([login])
          call(prompt, "Prompt", "Prompt", "s", "")
          while not os.path.exists("\(asker.path).open"): time.sleep(0.01)
          os.rmdir("\(asker.path).open")
          call(prompt, "Prompt", "Dismiss")
        for _ in range(1000):
          found = refusal(lambda: unlock([login]))
          if isinstance(found, str): break
          time.sleep(0.01)
        print(found)
        """)
    #expect(text == "org.freedesktop.Secret.Error.IsLocked")
    #expect(asker.questions.count == 3)
  }

  @Test func aPromptForTooManyObjectsIsRefused() throws {
    let secrets = try lockedRun()
    let text = try secrets.python(
      Self.head + """
        print(refusal(lambda: unlock([login] * 1000)))
        print(unlock([login] * 100)[1])
        """)
    #expect(
      text.components(separatedBy: "\n") == [
        "org.freedesktop.DBus.Error.LimitsExceeded", "/org/freedesktop/secrets/prompt/1",
      ])
  }

  #if os(Linux)
    /// The passcode was typed into the agent's question, and not on the terminal of the program that made it ask.
    @Test func aPromptMakesNoTerminalTheOwners() throws {
      let secrets = try lockedRun()
      let link = secrets.run.folder.path + "/other-bus"
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: secrets.socket)
      // Without the right of the terminal, the agent asks about the item, and the user refuses.
      try secrets.run.asker.set("no")
      let get = "$ATREST get --service mail --account eva --group mail 2>&1"
      let text = try CommandLineProgram(secrets.run).onTerminal(
        """
        $ATREST import secret-service --dry-run --from unix:path=\(link)
        echo "after the prompt: $(\(get))"
        $ATREST unlock
        echo "after unlock: $(\(get))"
        """)
      #expect(!text.contains("after the prompt: mail secret"), "\(text)")
      // Control: the owner typed it there, and nobody is asked.
      #expect(text.contains("after unlock: mail secret"), "\(text)")
      let questions = secrets.run.asker.questions
      #expect(questions.count == 2, "\(questions)")
      #expect(questions.last?.contains("mail") == true, "\(questions)")
    }
  #endif

  @Test func aPromptBelongsToItsConnection() throws {
    let secrets = try lockedRun()
    let text = try secrets.python(
      Self.head + """
        other = open_dbus_connection()
        _, prompt = unlock([login])
        print(refusal(lambda: call(prompt, "Prompt", "Prompt", "s", "", over=other)))
        print(completed(prompt, lambda: call(prompt, "Prompt", "Dismiss")))
        prompts = [unlock([login])[1] for _ in range(40)]
        print(refusal(lambda: call(prompts[0], "Prompt", "Dismiss")))
        print(refusal(lambda: call(prompts[-1], "Prompt", "Dismiss")))
        """)
    #expect(
      text.components(separatedBy: "\n") == [
        "org.freedesktop.Secret.Error.NoSuchObject", "(True, ('ao', []))",
        "org.freedesktop.Secret.Error.NoSuchObject", "()",
      ])
    #expect(secrets.run.asker.questions.isEmpty)
  }

  /// Where nobody can be asked, the client gets an error, which has a reason, and not a prompt.
  @Test func withoutAnAskerThereIsAnError() throws {
    let secrets = try lockedRun()
    unlink(secrets.run.asker.path)
    let found = try secrets.tool("lookup", "service", "mail")
    #expect(found.status != 0 && found.text.contains("locked"), "\(found)")
  }
}
