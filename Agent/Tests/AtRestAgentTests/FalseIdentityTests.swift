#if os(Linux)
  @_spi(Tools) import AtRestKeychain
  import AtRestCrypto
  import Foundation
  import Testing

  @testable import AtRestAgent

  /// Processes that pretend to be another process get no grant of that process. Each test has the
  /// honest process as its control.
  @Suite(
    .enabled(
      if: geteuid() == 0 && AgentRun.isInstalled("setpriv") && AgentRun.isInstalled("python3"),
      "needs root, setpriv and python3"))
  struct FalseIdentityTests {
    private static let python = URL(fileURLWithPath: "/usr/bin/python3")
      .resolvingSymlinksInPath().path

    /// Connects to the socket in the first argument, and prints the answer to a request for the
    /// status or for the item `mail`.
    private static let client =
      AgentRun.pythonHead + """
        import os, socket, struct, sys
        def text(value): return struct.pack(">I", len(value)) + value
        get = head(4) + b"\\0\\0\\0" + text(b"") + b"\\0\\1\\0" + text(b"genp") + b"\\0" + text(b"mail")
        get += struct.pack(">H", 2) + text(b"svce") + b"\\1" + text(b"mail")
        get += text(b"acct") + b"\\1" + text(b"eva")
        def ask(s, message=head(1)):
          s.sendall(struct.pack(">I", len(message)) + message)
          size = struct.unpack(">I", s.recv(4, socket.MSG_WAITALL))[0]
          print(s.recv(size, socket.MSG_WAITALL))
        s = socket.socket(socket.AF_UNIX)

        """

    private static let get = client + "s.connect(sys.argv[1]); ask(s, get)"

    /// A process of the agent's group is still one of another user; a process of its user in another
    /// group is one of its own.
    @Test func theUserDecidesAndNotTheGroup() throws {
      let run = try AgentRun()
      try run.unlock()
      try run.grant("mail")
      for path in [run.folder.path, run.folder.path + "/run"] { chmod(path, 0o755) }
      chmod(run.socket, 0o660)
      func get(user: uid_t, group: gid_t) throws -> String {
        try run.execute(
          "/usr/bin/setpriv",
          [
            "--reuid=\(user)", "--regid=\(group)", "--clear-groups", "/usr/bin/python3", "-c",
            Self.get, run.socket,
          ]
        ).text
      }
      #expect(try get(user: 65534, group: getegid()).contains("not-permitted"))
      #expect(try get(user: geteuid(), group: 65534).contains("mail secret"))
    }

    /// A grant for a program holds for its path and its contents together.
    @Test func anotherProgramIsRefused() throws {
      let run = try AgentRun()
      try run.unlock()
      let good = run.folder.appendingPathComponent("good").path
      let other = run.folder.appendingPathComponent("other").path
      for path in [good, other] {
        try FileManager.default.copyItem(atPath: Self.python, toPath: path)
      }
      func status(_ program: String, _ arguments: [String] = []) throws -> String {
        try run.execute(
          program, arguments + ["-c", Self.get, run.socket], with: ["PYTHONHOME": "/usr"]
        ).text
      }
      let digest = try run.execute("/usr/bin/sha256sum", [good]).text.prefix(64)
      try run.give(
        AgentGrant(
          AgentEvidence(.program, "\(good) \(digest)"), groups: ["mail"], mayWrite: false))
      #expect(try status(good).contains("mail secret"))
      // The same contents at another path, also under the good one's name.
      #expect(try status(other).contains("not-permitted"))
      // A name that reads like the path and the digest.
      let named = "\(good) \(digest)"
      try FileManager.default.copyItem(atPath: Self.python, toPath: named)
      #expect(try status(named).contains("not-permitted"))
      let renamed = try run.execute(
        "/bin/bash", ["-c", "exec -a \(good) \(other) \"$@\"", "x", "-c", Self.get, run.socket],
        with: ["PYTHONHOME": "/usr"])
      #expect(renamed.text.contains("not-permitted"), "\(renamed.text)")
      // Other contents at the same path.
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: good))
      try file.seekToEnd()
      try file.write(contentsOf: Data([0]))
      try file.close()
      #expect(try status(good).contains("not-permitted"))
    }

    /// A process connects and ends, and its number is given to a process of another program before
    /// the agent looks.
    @Test func aReusedNumberGivesNoEvidence() throws {
      let run = try AgentRun()
      let agent = try AgentProgram(run.location, in: run.folder)
      let script =
        Self.client + """
          import signal, time
          agent, ends = int(sys.argv[2]), sys.argv[3] == "ends"
          os.kill(agent, signal.SIGSTOP)
          # Its threads stop one after the other.
          for thread in os.listdir(f"/proc/{agent}/task"):
            while open(f"/proc/{agent}/task/{thread}/stat").read().rsplit(")", 1)[1].split()[0] != "T": pass
          read, write = os.pipe()
          first = os.fork()
          if first == 0:
            s.connect(sys.argv[1]); os.write(write, b"x")
            if not ends: time.sleep(600)
            os._exit(0)
          os.read(read, 1)
          if ends:
            os.waitpid(first, 0)
            for attempt in range(1000):
              open("/proc/sys/kernel/ns_last_pid", "w").write(str(first - 1))
              again = os.fork()
              if again == 0: os.execv("/usr/bin/sleep", ["sleep", "600"])
              if again == first: break
              os.kill(again, signal.SIGKILL); os.waitpid(again, 0)
            assert again == first, "The number was not reused."
            while b"sleep" not in open(f"/proc/{first}/comm", "rb").read(): pass
          os.kill(agent, signal.SIGCONT)
          try:
            ask(s)
            print("the number's program:", os.readlink(f"/proc/{first}/exe"))
          finally: os.kill(first, signal.SIGKILL)
          """
      func answer(_ mode: String) throws -> String {
        var text = ""
        // A process of another test may get the number first, and keep it.
        for _ in 0..<20 {
          text = try run.execute(
            "/usr/bin/python3", ["-c", script, agent.socket, "\(agent.identifier)", mode]
          ).text
          if !text.contains("The number was not reused.") { break }
        }
        return text
      }
      let reused = try answer("ends")
      #expect(reused.contains("isUnlocked"), "\(reused)")
      #expect(reused.contains("the number's program: /usr/bin/sleep"), "\(reused)")
      #expect(!reused.contains("-program\"") && !reused.contains("\"program\""), "\(reused)")
      // Control: the evidence of a process that still runs is found.
      let live = try answer("stays")
      #expect(live.contains("program\"") && live.contains("python3"), "\(live)")
    }

    /// `/.flatpak-info` is read in the root of the process.
    @Test func theFlatpakOfAProcessIsFoundInItsRoot() throws {
      let run = try AgentRun()
      let root = run.folder.appendingPathComponent("root")
      try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
      let info = root.appendingPathComponent(".flatpak-info")
      try Data("[Application]\nname=org.example.Mail\n".utf8).write(to: info)
      // The working folder stays outside of the new root.
      let script =
        Self.client + """
          os.chdir(os.path.dirname(sys.argv[1]))
          if len(sys.argv) > 2: os.chroot(sys.argv[2])
          s.connect("agent"); ask(s)
          """
      func status(_ words: [String], root: [String]) throws -> String {
        try run.execute(
          words[0], words.dropFirst() + ["/usr/bin/python3", "-c", script, run.socket] + root
        ).text
      }
      let env = ["/usr/bin/env"]
      #expect(try status(env, root: [root.path]).contains("org.example.Mail"))
      // A program without a sandbox makes a root of its own in a user namespace, without any
      // privilege. This evidence therefore does not hold against such programs.
      #expect(
        try status(["/usr/bin/unshare", "-Ur"], root: [root.path]).contains("org.example.Mail"))
      #expect(!AgentEvidence(.flatpak, "org.example.Mail").holdsAgainstOtherPrograms)
      // Controls: the agent's own root and a link in place of the file give no such evidence.
      let outside = try status(env, root: [])
      #expect(outside.contains("isUnlocked") && !outside.contains("flatpak"), "\(outside)")
      try FileManager.default.moveItem(at: info, to: root.appendingPathComponent("info"))
      symlink("info", info.path)
      #expect(try !status(env, root: [root.path]).contains("flatpak"))
    }

    /// The agent neither listens at a link that leads elsewhere, nor removes it.
    @Test func aLinkInPlaceOfTheSocketIsRefused() throws {
      let run = try AgentRun()
      let target = run.folder.appendingPathComponent("target").path
      #expect(FileManager.default.createFile(atPath: target, contents: Data("kept".utf8)))
      let path = run.folder.appendingPathComponent("run/link").path
      symlink(target, path)
      let refusal = #expect(throws: AtRestError.self) { _ = try AgentListener.prepare(path) }
      #expect(refusal?.code == .notPermitted)
      #expect(FileManager.default.contents(atPath: target) == Data("kept".utf8))
      // Control: the socket of an agent that was killed is removed.
      let stale = run.folder.appendingPathComponent("run/stale").path
      #expect(try run.execute("/usr/bin/python3", ["-c", Self.bind, stale]).status == 0)
      close(try AgentListener.prepare(stale))
      #expect(!FileManager.default.fileExists(atPath: stale))
    }

    private static let bind =
      "import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])"
  }
#endif
