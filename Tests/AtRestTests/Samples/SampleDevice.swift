import AtRestSimulation
import Foundation

/// Runs a sample on a simulated device, with the path of a folder that is removed afterwards.
func withSampleDevice(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("sample-\(UUID().uuidString)", isDirectory: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try SimulatedDevice(passcode: "1234").run { try body(folder) }
}
