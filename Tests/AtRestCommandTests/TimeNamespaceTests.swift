#if os(Linux)
  import Foundation
  import Testing

  /// The delay after wrong passcodes is not skipped in a time namespace, nor with another file mounted in
  /// the place of the boot's identifier.
  @Suite struct TimeNamespaceTests {
    /// The options with which `unshare` makes a namespace for this user, or nil if it cannot.
    private static func unshare(_ options: [String]) -> [String]? {
      let user = geteuid() == 0 ? [] : ["-U", "-r"]
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
      process.arguments = user + options + ["true"]
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return nil }
      process.waitUntilExit()
      return process.terminationStatus == 0 ? user + options : nil
    }

    static let time = unshare(["-T", "--boottime", "4000"])
    static let mount = unshare(["-m"])

    private func delayed() throws -> (run: CommandRun, passcode: String) {
      let (run, passcode) = try CommandRun.withPasscode()
      let wrong = try run.file("wrong", "let me out\n")
      for _ in 0..<5 { #expect(try run("list", "--passcode-file", wrong).status == 5) }
      let refused = try run("list", "--passcode-file", passcode)
      #expect(refused.status == 5 && refused.notes.contains("the next attempt is allowed in"))
      return (run, passcode)
    }

    @Test(.enabled(if: time != nil, "no time namespaces"))
    func aTimeNamespaceDoesNotEndADelay() throws {
      let (run, passcode) = try delayed()
      let refused = try run.execute(
        "/usr/bin/unshare",
        try #require(Self.time)
          + [try CommandRun.binary().path, "list", "--passcode-file", passcode])
      #expect(refused.status == 5)
      #expect(refused.notes.contains("time namespace"))
      // The control: without a delay, the store opens there.
      let (other, right) = try CommandRun.withPasscode()
      let opened = try other.execute(
        "/usr/bin/unshare",
        try #require(Self.time) + [try CommandRun.binary().path, "list", "--passcode-file", right])
      #expect(opened.status == 0)
    }

    @Test(.enabled(if: mount != nil, "no mount namespaces"), arguments: [true, false])
    func anotherIdentifierOfTheBootDoesNotEndADelay(ofKernel: Bool) throws {
      let (run, passcode) = try delayed()
      let other = try run.file("boot_id", "0f3c1d5e-7a2b-4c6d-8e9f-a0b1c2d3e4f5\n")
      let source = ofKernel ? "/proc/sys/kernel/random/uuid" : other
      let script =
        "mount --bind \(source) /proc/sys/kernel/random/boot_id && "
        + "exec \"$0\" list --passcode-file \"$1\""
      let refused = try run.execute(
        "/usr/bin/unshare",
        try #require(Self.mount) + ["sh", "-c", script, try CommandRun.binary().path, passcode])
      #expect(refused.status == 5)
      #expect(refused.notes.contains("the next attempt is allowed in"))
    }
  }
#endif
