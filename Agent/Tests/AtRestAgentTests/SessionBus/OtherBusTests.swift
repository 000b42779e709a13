import AtRestCrypto
@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Buses that the agent leaves alone: those of other users, and those that do not answer.
struct OtherBusTests {
  private let run: AgentRun
  private var place: String { run.folder.path + "/other" }

  init() throws { run = try AgentRun() }

  /// Starts a program that listens, writes down the first bytes of each connection, and answers none.
  ///
  /// - Parameter accepts: False to let connections wait.
  private func listen(as user: UInt32 = geteuid(), accepts: Bool = true) throws -> Int32 {
    let script = run.folder.appendingPathComponent("other.py")
    try Data(
      """
      import os, signal, socket
      signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGALRM])
      signal.alarm(120)
      listener, file = socket.socket(socket.AF_UNIX), open("\(place)-got", "ab", buffering=0)
      listener.bind("\(place)")
      os.setuid(\(user))
      listener.listen(0)
      open("\(place)-ready", "w").close()
      if not \(accepts ? "True" : "False"):
        filler = socket.socket(socket.AF_UNIX)
        filler.connect("\(place)")
        signal.pause()
      while True: file.write(listener.accept()[0].recv(1000))
      """.utf8
    ).write(to: script)
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: run.folder.path)
    let process = try run.start("/usr/bin/python3 '\(script.path)'")
    try #require(eventually { FileManager.default.fileExists(atPath: place + "-ready") })
    return process
  }

  private var got: String { (try? String(contentsOfFile: place + "-got", encoding: .utf8)) ?? "" }

  /// The agent would send its greeting to another user, and lock the store when that user says so.
  @Test(.enabled(if: geteuid() == 0, "needs root"), arguments: [0, 65534])
  func aSessionsBusOfAnotherUserIsRefused(user: UInt32) throws {
    let process = try listen(as: user)
    defer { kill(process, SIGKILL) }
    let address = "unix:path=" + place
    let source = LockSignal.Source(address: address, names: LockSignal.screenSavers)
    let bus = #expect(throws: AtRestError.self) {
      try SessionBusAddress(address).connect(otherThan: "own")
    }
    #expect(
      bus?.message.contains("is not this user's") == (user != 0), "\(String(describing: bus))")
    #expect(throws: AtRestError.self) { try BusConnection(source) }
    // Control: a bus of this user is greeted, twice.
    let isGreeted = { got.components(separatedBy: "AUTH").count == (user == 0 ? 3 : 1) }
    #expect(eventually(isGreeted), "\(got)")
    // The system's bus may be another user's.
    let system = LockSignal.Source(address: address, names: [LockSignal.login])
    #expect(throws: AtRestError.self) { try BusConnection(system) }
    #expect(eventually { got.hasSuffix("AUTH EXTERNAL 30\r\n") }, "\(got)")
  }

  /// A bus whose connections wait for nobody is given up in time.
  @Test func aBusThatAcceptsNobodyIsGivenUp() throws {
    let process = try listen(accepts: false)
    defer { kill(process, SIGKILL) }
    let start = ContinuousClock.now
    let address = try SessionBusAddress(
      nil,
      environment: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=" + place, "XDG_RUNTIME_DIR": "/none"])
    let error = #expect(throws: AtRestError.self) {
      try address.connect(otherThan: "own", seconds: 1)
    }
    // It is not said that the next one is missing.
    #expect(error?.code == .system, "\(String(describing: error))")
    #expect(.now - start < .seconds(60))
  }
}
