import AtRestCrypto
import AtRestFoundation
import AtRestKeychain
import AtRestSimulation
import Testing

/// A folder of a test's own, on a simulated device whose calls are those of the process.
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

  /// Makes calls as an application on the device, or on another one.
  func run<Result>(
    on other: SimulatedDevice? = nil, _ body: () throws -> Result
  ) throws -> Result {
    try (other ?? device).run { try body() }
  }

  /// Whether the file's bytes show any of the secret.
  func showsSecret(_ url: URL? = nil) throws -> Bool {
    let stored = try Plain.read(url ?? self.url)
    return stored.range(of: Self.secret.prefix(8)) != nil
      || stored.range(of: Self.secret.suffix(8)) != nil
  }
}

/// The code that a call is refused with; nil where it is not.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "\(error)")
  }
}
