@_spi(Tools) import AtRestKeychain
import Foundation
import Testing

@testable import AtRestAgent

/// Descriptors that come with messages to other programs, and from them. A second instance of an application of GLib
/// sends its standard input.
@Suite(.enabled(if: TestBus.isInstalled, "needs dbus-daemon, secret-tool and SecretStorage"))
struct BusRelayDescriptorTests {
  /// `client` is a connection that passes descriptors. `pipe()` returns the two ends of one, and `isClosed(end)` is true
  /// when nobody has the other end any more.
  private static let head =
    TestService.head + """
      import os, select, threading
      from jeepney.io.blocking import open_dbus_connection
      client = open_dbus_connection("SESSION", enable_fds=True)
      def isClosed(end):
        poll = select.poll()
        poll.register(end, 0)
        return bool(poll.poll(30000))
      def close(*ends):
        for end in ends: os.close(end)

      """

  private struct Scene {
    let bus: TestBus
    let service: TestService
    let secrets: SecretServiceRun

    init() throws {
      let run = try AgentRun()
      bus = try TestBus(run)
      service = try TestService(bus, run)
      secrets = try SecretServiceRun(passingOnTo: bus.address, run)
    }
  }

  @Test func theyArePassedOnInBothDirections() throws {
    let scene = try Scene()
    let text = try scene.secrets.python(
      Self.head + """
        for number in range(40):
          ends = os.pipe()
          os.write(ends[1], b"taken")
          os.close(ends[1])
          assert call(client, "Take", "h", (ends[0],)) == ("taken",)
          os.close(ends[0])
          with call(client, "Give")[0].to_file("r") as file: assert file.read() == "given"
        # A client that is called takes and gives them too, also if its own connection passes large messages.
        def serve():
          while True:
            message = client.receive()
            if message.header.message_type == MessageType.method_call: break
          client.send(new_method_return(message, "ayh", (bytes(300 << 10), message.body[0])))
        threading.Thread(target=serve).start()
        other = open_dbus_connection("\(scene.bus.address)", enable_fds=True)
        ends = os.pipe()
        os.write(ends[1], b"around")
        body = answer(other, DBusAddress("/", client.unique_name, "org.example.Test"), "Turn", "hay", (ends[0], bytes(300 << 10)))
        close(*ends)
        with body[1].to_file("r") as file: print(len(body[0]), file.read())
        """)
    #expect(text == "307200 around", "\(text)")
  }

  @Test func theyAreClosedOnEveryPath() throws {
    let scene = try Scene()
    let text = try scene.secrets.python(
      Self.head + """
        def sent(address, count=1):
          ends = os.pipe()
          result = answer(client, address, "Unknown", "ah", ([ends[1]] * count,))
          os.close(ends[1])
          # The service keeps them until the next call.
          if result == "Refused": call(client, "Echo", "s", ("",))
          result = (result, isClosed(ends[0]))
          os.close(ends[0])
          return result
        print(sent(secrets), sent(dbus))
        print(sent(DBusAddress("/org/freedesktop/secrets", "org.example.Service", "org.example.Test")))
        print(sent(DBusAddress("/", "org.example.Nobody", "org.example.Test")), sent(service))
        # The bound of one message.
        print(sent(service, 16), sent(service, 17), sent(service, 200), sent(service))
        # Without a message, and with a half one.
        for data in (b"", bytes(12)):
          other = open_dbus_connection("SESSION", enable_fds=True)
          ends = os.pipe()
          other.sock.sendmsg([b"l\\1\\0\\1" + data], [(1, 1, ends[1].to_bytes(4, "little") * 3)])
          os.close(ends[1])
          other.close()
          print(isClosed(ends[0]), end=" ")
        """)
    #expect(
      text.split(separator: "\n") == [
        "('UnknownMethod', True) ('UnknownMethod', True)", "('AccessDenied', True)",
        "('ServiceUnknown', True) ('Refused', True)",
        "('Refused', True) ('LimitsExceeded', True) ('LimitsExceeded', True) ('Refused', True)",
        "True True ",
      ], "\(text)")
  }

  /// Programs that give nothing back leave a rest for the next one.
  @Test func thereIsARestForTheNextProgram() {
    let budget = Budget(most: 512, mostOfOne: 64, divisor: 8)
    func taken(_ process: Int32) -> Int {
      var count = 0
      while budget.take(1, for: Holder(user: 1, process: process)) { count += 1 }
      return count
    }
    #expect(taken(1) == 64 && taken(2) == 56)
    #expect((3...16).allSatisfy { taken($0) > 7 })
  }

  /// The places for descriptors of one program are given back, and others have their own.
  @Test func oneProgramHasItsShare() {
    let budget = Budget(most: 4, mostOfOne: 2)
    let (one, other) = (Holder(user: 1, process: 1), Holder(user: 1, process: 2))
    func descriptor(_ holder: Holder) -> PassedDescriptor? {
      PassedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), budget, for: holder)
    }
    var queue = DescriptorQueue()
    queue.add((0..<3).map { _ in descriptor(one) }, isCut: false)
    #expect(descriptor(one) == nil && descriptor(other) != nil)
    #expect(queue.take(1)?.count == 1)
    // The third one was closed.
    #expect(queue.take(2) == nil && queue.take(0)?.count == 0)
    #expect(descriptor(one) != nil)
    // Nobody knows which ones are missing.
    queue.add([descriptor(one)], isCut: true)
    #expect(queue.take(1) == nil)
    queue.clear()
    queue.add([descriptor(one)], isCut: false)
    #expect(queue.take(1)?.count == 1)
    #expect(budget.used == 0)
  }
}
