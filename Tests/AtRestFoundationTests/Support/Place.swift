import AtRestCrypto
import AtRestFoundation
import AtRestKeychain
import AtRestSimulation
import Testing

/// A folder for one test, and a simulated device on which the test makes its calls.
final class Place {
  let folder: URL
  let device: SimulatedDevice
  static let secret = Data("The quick brown fox keeps a secret.".utf8)

  init() throws {
    device = try SimulatedDevice(passcode: "1234")
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-foundation-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  var url: URL { folder.appendingPathComponent("file") }

  /// Runs code as an application on the device, or on another device.
  func run<Result>(
    on other: SimulatedDevice? = nil, _ body: () throws -> Result
  ) throws -> Result {
    try (other ?? device).run { try body() }
  }

  /// Returns true if the bytes of the file contain the beginning or the end of the secret.
  func showsSecret(_ url: URL? = nil) throws -> Bool {
    let stored = try Plain.read(url ?? self.url)
    return stored.range(of: Self.secret.prefix(8)) != nil
      || stored.range(of: Self.secret.suffix(8)) != nil
  }
}

/// Returns the code of the error that a closure throws, or nil if it throws none.
///
/// The code of an error other than `AtRestError` is its description.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "\(error)")
  }
}
