@_spi(Tools) import AtRestBus
import Foundation
import Testing

@testable import AtRestAgent

/// A bus of a test's own, with the services that python-dbusmock plays.
final class MockBus {
  static let isInstalled =
    AgentRun.isInstalled("dbus-daemon") && AgentRun.isInstalled("python3")
    && FileManager.default.fileExists(atPath: "/usr/lib/python3/dist-packages/dbusmock")

  let address: String
  private let run: AgentRun
  private var processes: [Int32] = []

  init(_ run: AgentRun) throws {
    self.run = run
    address = "unix:path=\(run.folder.path)/bus"
    try start("dbus-daemon --session --nopidfile --address='\(address)' --nofork")
    let socket = run.folder.appendingPathComponent("bus").path
    eventually { isListening(socket) }
  }

  deinit { for process in processes { kill(process, SIGKILL) } }

  private var environment: [String: String] {
    ["DBUS_SYSTEM_BUS_ADDRESS": address, "DBUS_SESSION_BUS_ADDRESS": address]
  }

  /// Starts a program in the background.
  private func start(_ command: String) throws {
    processes.append(try run.start(command, with: environment))
  }

  /// Starts a service: one of the templates, or one with only a name.
  func addService(_ name: String, template: String? = nil) throws {
    try start(
      "/usr/bin/python3 -m dbusmock "
        + (template.map { "--template \($0)" } ?? "--session \(name) / \(name)"))
    let bus = try BusConnection(.init(address: address, names: []))
    let name = BusValue.text(name)
    func hasOwner() throws -> Bool {
      let reply = try bus.call(
        "NameHasOwner", of: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", name)
      return reply.body.first?.flag == true
    }
    try #require(try eventually { try hasOwner() })
  }

  /// Calls a method with arguments in JSON, and returns what the reply has.
  @discardableResult
  func call(
    _ name: String, _ path: String, _ interface: String, _ method: String,
    _ arguments: String = "[]"
  ) throws -> String {
    let script = """
      import dbus, json, sys
      bus, (name, path, interface, method, arguments) = sys.argv[1], sys.argv[2:]
      object = dbus.bus.BusConnection(bus).get_object(name, path)
      result = object.get_dbus_method(method, interface)(*json.loads(arguments))
      print("" if result is None else result)
      """
    let result = try run.execute(
      "/usr/bin/python3", ["-c", script, address, name, path, interface, method, arguments])
    try #require(result.status == 0, "\(result.text)")
    return result.text
  }
}
