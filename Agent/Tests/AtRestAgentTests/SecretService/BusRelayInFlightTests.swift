@_spi(Tools) import AtRestKeybag
import Foundation
import Testing

@testable import AtRestAgent

/// Programs of the user may have so many descriptors under way that the system takes no more of them from the agent.
@Suite(
  .enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"),
  .enabled(if: geteuid() != 0, "the system sets root no such limit"))
struct BusRelayInFlightTests {
  @Test func noConnectionEndsForIt() throws {
    let run = try AgentRun()
    let bus = try TestBus(run)
    let service = try TestService(bus, run)
    defer { service.end() }
    let program = try AgentProgram(
      run.location, in: run.folder,
      environment: [
        "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": run.folder.path + "/none",
      ],
      mostDescriptors: 256)
    let address = "unix:path=" + AgentPlace.secretServiceSocket(beside: program.socket)
    let result = try run.execute(
      "/usr/bin/python3",
      [
        "-c",
        TestService.head + """
          import array, os, socket
          from jeepney.io.blocking import open_dbus_connection
          client = open_dbus_connection("SESSION", enable_fds=True)
          def take():
            ends = os.pipe()
            os.write(ends[1], b"taken")
            os.close(ends[1])
            try: return call(client, "Take", "h", (ends[0],))
            finally: os.close(ends[0])
          print(take())
          near, far = socket.socketpair()
          files = [os.open("/dev/null", os.O_RDONLY) for _ in range(100)]
          for _ in range(4): near.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))])
          print(take())
          print(call(client, "Give"))
          print(call(client, "Echo", "s", ("still there",)))
          near.close()
          far.close()
          print(take())
          """,
      ], with: ["DBUS_SESSION_BUS_ADDRESS": address])
    #expect(
      result.text.split(separator: "\n") == [
        "('taken',)", "LimitsExceeded", "LimitsExceeded", "('still there',)", "('taken',)",
      ], "\(result.text)")
    withExtendedLifetime(program) {}
  }
}
