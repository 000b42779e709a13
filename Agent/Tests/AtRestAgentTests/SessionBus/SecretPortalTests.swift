@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// The back end of Flatpak's portal for secrets, called as the portal does.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct SecretPortalTests {
  private static let python = URL(fileURLWithPath: "/usr/bin/python3")
    .resolvingSymlinksInPath().path

  /// `retrieve(application)` returns the secret, or the last part of an error's name and the text.
  private static let head = """
    import os, select, socket, sys
    # In its user namespace a program seems to be root.
    os.getuid = os.geteuid = lambda: \(geteuid())
    from jeepney import *
    from jeepney.io.blocking import open_dbus_connection
    bus = open_dbus_connection(os.environ["DBUS_SESSION_BUS_ADDRESS"], enable_fds=True)
    portal = DBusAddress(
      "/org/freedesktop/portal/desktop", "org.freedesktop.secrets", "org.freedesktop.impl.portal.Secret")
    def retrieve(application, write=None):
      read = None
      if write is None: read, write = os.pipe()
      arguments = ("/org/freedesktop/portal/desktop/request/1_1/a", application, write, {})
      reply = bus.send_and_get_reply(new_method_call(portal, "RetrieveSecret", "osha{sv}", arguments))
      os.close(write)
      if reply.header.message_type == MessageType.error:
        # Nothing was written.
        if read is not None: assert os.read(read, 1) == b""
        return reply.header.fields[HeaderFields.error_name].split(".")[-1] + ": " + reply.body[0]
      assert reply.body == (0, {}), reply.body
      return os.read(read, 1000)

    """

  private struct Scene {
    let run: AgentRun
    let secrets: SecretServiceRun

    init(isGranted: Bool = true, hasDescriptors: Bool = true) throws {
      run = try AgentRun()
      secrets = try SecretServiceRun(
        on: TestBus(run, hasDescriptors ? .descriptor : .number), run, isGranted: false)
      guard isGranted else { return }
      try give(AgentEvidence(.systemProgram, SecretPortalTests.python))
    }

    func give(_ evidence: AgentEvidence) throws {
      try secrets.give(
        AgentGrant(evidence, groups: ["flatpak-secrets"], mayWrite: true, isForSandboxes: true))
    }

    func python(_ script: String, isSandboxed: Bool = false) throws -> String {
      let words = ["/usr/bin/python3", "-c", SecretPortalTests.head + script]
      let all = isSandboxed ? ["/usr/bin/unshare", "-Urm"] + words : words
      return try run.execute(
        all[0], Array(all.dropFirst()), with: ["DBUS_SESSION_BUS_ADDRESS": secrets.address]
      ).text
    }
  }

  @Test func eachApplicationHasASecretThatStays() throws {
    let text = try Scene().python(
      """
      one, again, other = retrieve("org.example.One"), retrieve("org.example.One"), retrieve("org.example.Other")
      print(len(one), one == again, len(other), one == other)
      """)
    #expect(text == "64 True 64 False\n")
  }

  @Test func aSocketGetsItToo() throws {
    let text = try Scene().python(
      """
      one, other = socket.socketpair()
      try: retrieve("org.example.One", one.detach())
      except TypeError: pass
      print(len(other.recv(1000)))
      """)
    #expect(text == "64\n")
  }

  @Test func aProgramWithoutTheGrantGetsNothing() throws {
    let scene = try Scene(isGranted: false)
    // The grant for the items of the Secret Service is another one.
    try scene.secrets.grant(mayWrite: true)
    let text = try scene.python(#"print(retrieve("org.example.One"))"#)
    #expect(text.hasPrefix("AccessDenied: The agent has no grant"), "\(text)")
  }

  /// It could name another application.
  @Test(.enabled(if: CommandLineProgram.canMakeSandboxes, "needs unshare and user namespaces"))
  func aProgramInASandboxIsNotThePortal() throws {
    let scene = try Scene(isGranted: false)
    // Even this grant does not help.
    try scene.give(AgentEvidence(.user, String(geteuid())))
    let script = #"print(retrieve("org.example.One"))"#
    let inside = try scene.python(script, isSandboxed: true)
    #expect(inside.hasPrefix("AccessDenied: This may not be asked"), "\(inside)")
    #expect(try scene.python("print(len(retrieve('org.example.One')))") == "64\n")
  }

  @Test func aBusThatProvesNothingHasNoPortal() throws {
    let scene = try Scene(isGranted: false, hasDescriptors: false)
    try scene.give(AgentEvidence(.user, String(geteuid())))
    let text = try scene.python(#"print(retrieve("org.example.One"))"#)
    #expect(text.hasPrefix("AccessDenied: This bus does not prove"), "\(text)")
  }

  @Test func aLockedSecretIsNeverANewOne() throws {
    let scene = try Scene()
    let script = #"print(retrieve("org.example.One"))"#
    let first = try scene.python(script)
    try scene.secrets.lock()
    let locked = try scene.python(script)
    #expect(locked.hasPrefix("IsLocked: "), "\(locked)")
    try scene.secrets.unlock()
    #expect(try scene.python(script) == first)
  }

  @Test(arguments: ["", "application", "org.example/../One", "org..One"])
  func anotherNameIsNoApplication(name: String) throws {
    let text = try Scene().python("print(retrieve('\(name)'))")
    #expect(text.hasPrefix("InvalidArgs: "), "\(text)")
  }

  /// A file may be on a file system that does not answer.
  @Test func aFileGetsNothing() throws {
    let scene = try Scene()
    let file = scene.run.folder.appendingPathComponent("file").path
    let text = try scene.python(
      """
      print(retrieve("org.example.One", os.open("\(file)", os.O_RDWR | os.O_CREAT)), os.stat("\(file)").st_size)
      """)
    #expect(text.hasPrefix("InvalidArgs: ") && text.hasSuffix(" 0\n"), "\(text)")
  }

  @Test func aPipeThatIsFullDoesNotKeepTheAgentWaiting() throws {
    let text = try Scene().python(
      """
      read, write = os.pipe()
      os.set_blocking(write, False)
      try:
        while True: os.write(write, bytes(4096))
      except BlockingIOError: pass
      os.set_blocking(write, True)
      print(retrieve("org.example.One", write))
      """)
    #expect(text.hasPrefix("InvalidArgs: "), "\(text)")
  }
}
