import AtRestSimulation
import Foundation
import Notes

/// A simulated device with a notebook.
final class Desk {
  let device: SimulatedDevice
  let folder: URL
  var file: URL { folder.appendingPathComponent("notes.db") }

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("notes-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func notebook() throws -> Notebook { Notebook(file, keychain: try device.keychain()) }
}
