@_spi(Tools) import AtRestBus
import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Synchronization
import Testing

@testable import AtRestAgent

/// The store locks with the screen, with the session and before suspend.
@Suite(.enabled(if: MockBus.isInstalled, "needs dbus-daemon and python-dbusmock"))
struct LockSignalTests {
  private static let login = "org.freedesktop.login1"
  private static let saver = "org.gnome.ScreenSaver"

  private final class Notes: Sendable {
    private let texts = Mutex<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func add(_ text: String) { texts.withLock { $0.append(text) } }
  }

  /// An agent that follows a bus with a logind and a screen saver.
  private final class Desk {
    let run: AgentRun
    let bus: MockBus
    private let hasLogin: Bool
    private let notes = Notes()
    private var seen = 0

    init(hasLogin: Bool = true) throws {
      self.hasLogin = hasLogin
      run = try AgentRun()
      bus = try MockBus(run)
      try bus.addService(LockSignalTests.saver, template: "gnome_screensaver")
      if hasLogin {
        try bus.addService(LockSignalTests.login, template: "logind")
        for id in ["one", "two"] {
          try mock("AddSession", "[\"\(id)\", \"seat0\", \(geteuid()), \"user\", true]")
        }
        try mock("AddSession", "[\"three\", \"seat0\", 12345, \"other\", true]")
      }
    }

    /// Follows the bus on another thread, until this value is released.
    func follow(environment: [String: String] = [:]) throws {
      let source = LockSignal.Source(
        address: bus.address, names: [LockSignal.login] + LockSignal.screenSavers)
      let (service, notes) = (run.service, notes)
      Thread.detachNewThread {
        LockSignals.follow(source, service, environment: environment) { notes.add($0) }
      }
      try run.unlock()
      eventually { hasLogin ? !isSleepFree : !allNotes.isEmpty }
    }

    var allNotes: [String] { notes.all }

    /// True if the system suspends without a delay.
    var isSleepFree: Bool {
      (try? bus.call(
        LockSignalTests.login, "/org/freedesktop/login1", LockSignalTests.login + ".Manager",
        "ListInhibitors"
      ).contains("'AtRest'")) != true
    }

    func mock(_ method: String, _ arguments: String) throws {
      try bus.call(
        LockSignalTests.login, "/org/freedesktop/login1", "org.freedesktop.DBus.Mock", method,
        arguments)
    }

    func prepareForSleep(_ flag: Bool) throws {
      try mock(
        "EmitSignal",
        """
        ["org.freedesktop.login1.Manager", "PrepareForSleep", "b", [\(flag)]]
        """)
    }

    func lockSession(_ id: String) throws {
      try bus.call(
        LockSignalTests.login, "/org/freedesktop/login1/session/\(id)",
        LockSignalTests.login + ".Session", "Lock")
    }

    func setScreen(_ isActive: Bool) throws {
      try bus.call(
        LockSignalTests.saver, "/org/gnome/ScreenSaver", LockSignalTests.saver, "SetActive",
        "[\(isActive)]")
    }

    /// Waits until the store is locked once more, and returns the reason. Unlocks it again.
    ///
    /// The keys are erased before the reason is in the log.
    func reason() throws -> String? {
      func reasons() throws -> [String] {
        let entries: [AgentLogEntry] = try run.connect().document(.log(count: 100))
        return entries.filter { $0.operation == "lock" }.map(\.subject)
      }
      guard try eventually({ try reasons().count > seen }) else { return nil }
      seen += 1
      try run.unlock()
      return try reasons()[seen - 1]
    }
  }

  /// The reason shows that the signals before, which are no reasons, did not lock the store.
  @Test func theScreenLocksTheStore() throws {
    let desk = try Desk()
    try desk.follow()
    try desk.setScreen(true)
    #expect(try desk.reason() == "screen")
    try desk.setScreen(false)
    try desk.lockSession("one")
    #expect(try desk.reason() == "session")
    // A program under another name does not lock the store.
    try desk.bus.addService("org.example.Other")
    try desk.bus.call(
      "org.example.Other", "/", "org.freedesktop.DBus.Mock", "EmitSignal",
      "[\"\(Self.saver)\", \"ActiveChanged\", \"b\", [true]]")
    try desk.lockSession("one")
    #expect(try desk.reason() == "session")
  }

  @Test(arguments: ["variable", "process", "none"])
  func theOwnSessionLocksTheStore(_ evidence: String) throws {
    let desk = try Desk()
    if evidence == "process" {
      try desk.mock(
        "AddMethod",
        """
        ["org.freedesktop.login1.Manager", "GetSessionByPID", "u", "o",
         "ret = '/org/freedesktop/login1/session/one' if args[0] == \(getpid()) else ''"]
        """)
    }
    try desk.follow(environment: evidence == "variable" ? ["XDG_SESSION_ID": "one"] : [:])
    try desk.lockSession("one")
    #expect(try desk.reason() == "session")
    try desk.lockSession("two")
    try desk.setScreen(true)
    // Without a session of its own, the agent heeds all sessions of its user.
    #expect(try desk.reason() == (evidence == "none" ? "session" : "screen"))
    try desk.setScreen(false)
    // The session of another user does not count.
    try desk.lockSession("three")
    try desk.setScreen(true)
    #expect(try desk.reason() == "screen")
  }

  /// The system waits until the store is locked.
  @Test func suspendWaitsForTheLock() throws {
    let desk = try Desk()
    try desk.follow()
    #expect(!desk.isSleepFree)
    try desk.prepareForSleep(true)
    eventually { desk.isSleepFree }
    #expect(desk.isSleepFree)
    #expect(!desk.run.service.isUnlocked)
    #expect(try desk.reason() == "suspend")
    // After the machine has woken up, the next suspend waits again. Waking up locks nothing.
    try desk.prepareForSleep(false)
    eventually { !desk.isSleepFree }
    #expect(!desk.isSleepFree && desk.run.service.isUnlocked)
    try desk.prepareForSleep(true)
    #expect(try desk.reason() == "suspend")
    #expect(desk.allNotes.isEmpty)
  }

  @Test func aSystemThatDoesNotWaitIsReported() throws {
    let desk = try Desk(hasLogin: false)
    try desk.follow()
    #expect(desk.allNotes.count == 1)
    try desk.setScreen(true)
    #expect(try desk.reason() == "screen")
  }

  @Test func addressesAreRead() {
    #expect(BusAddress.path("unix:path=/run/user/1/bus") == "/run/user/1/bus")
    #expect(BusAddress.path("tcp:host=x;unix:guid=1,path=/a%20b") == "/a b")
    #expect(BusAddress.path("unix:abstract=/tmp/x") == nil)
  }
}
