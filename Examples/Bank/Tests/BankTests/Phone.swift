import AtRest
import AtRestSimulation
import Bank
import Foundation
import Testing

/// A simulated phone with the bank's application on it.
final class Phone {
  let device: SimulatedDevice
  let folder: URL
  let server = Server()
  var options = Bank.options

  /// Creates a phone.
  ///
  /// - Parameter device: The device, or nil for a new, unlocked one.
  init(_ device: SimulatedDevice? = nil) throws {
    self.device = try device ?? SimulatedDevice(passcode: "1234")
    options.passphraseKDF = .simulated
    folder = try temporaryFolder()
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Starts the application.
  func bank() throws -> Bank {
    try Bank(in: folder, keychain: device.keychain(), server: server, options: options)
  }

  /// Logs Eva in, and stores a card and her passport.
  func eva() async throws -> Customer {
    let eva = try await bank().logIn("eva", password: SecretBytes(utf8: password))
    try eva.keepThings()
    return eva
  }
}

extension Customer {
  func keepThings() throws {
    try account.setPassphrase(SecretBytes(utf8: passphrase))
    try addCard(visa, validUntil: "2029-04")
    let scan = try temporaryFolder().appendingPathComponent("passport.jpeg")
    defer { try? FileManager.default.removeItem(at: scan.deletingLastPathComponent()) }
    try passport.write(to: scan)
    try keepPassport(scan)
  }
}

let password = "Tulips in November"
let passphrase = "wren under 7 copper kettles"
let visa = "4000 0566 5566 5556"
let passport = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })

func temporaryFolder() throws -> URL {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("bank-\(UUID().uuidString)", isDirectory: true)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return folder
}

/// Expects an error with a code.
func expect(
  _ code: AtRestError.Code, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async {
  let error = await #expect(throws: AtRestError.self, sourceLocation: sourceLocation) {
    try await body()
  }
  #expect(error?.code == code, sourceLocation: sourceLocation)
}

/// Returns the location of the program, next to the test bundle.
func program() throws -> URL {
  let starts = [Bundle.main.bundleURL] + Bundle.allBundles.map(\.bundleURL)
  return try #require(
    starts.flatMap { [$0, $0.deletingLastPathComponent()] }
      .map { $0.resolvingSymlinksInPath().appendingPathComponent("bank") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) })
}
