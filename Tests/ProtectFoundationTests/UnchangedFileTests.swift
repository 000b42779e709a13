import AtRestSimulation
import Foundation
import Security
import Testing

/// Tests of a file that imports Foundation and Security as an iOS file does, in a target with the plugin.
@Suite struct UnchangedFileTests {
  private static let secret = "The quick brown fox keeps a secret."
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "atrest-plugin-\(UUID().uuidString)")
  private var url: URL { folder.appendingPathComponent("file") }

  /// Runs the calls of an iOS application, and tests that no file shows the secret.
  private func run(_ calls: () throws -> Void) throws {
    let device = try SimulatedDevice(passcode: "1234")
    try device.run {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try calls()
      for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
        let bytes = try plainData(folder.appendingPathComponent(name))
        #expect(bytes.count > 0)
        #expect(bytes.range(of: Data(Self.secret.utf8.prefix(8))) == nil, "\(name)")
      }
    }
  }

  @Test func dataIsProtected() throws {
    try run {
      try Data(Self.secret.utf8).write(to: url, options: [.atomic, .completeFileProtection])
      try #expect(String(contentsOf: url, encoding: .utf8) == Self.secret)
      try #expect(Data(contentsOf: url) == Data(Self.secret.utf8))
      try Self.secret.write(to: url, atomically: true, encoding: .utf8)
    }
  }

  @Test func theFileManagersCallsProtect() throws {
    try run {
      let attributes: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.complete]
      FileManager.default.createFile(
        atPath: url.path, contents: Data(Self.secret.utf8), attributes: attributes)
      #expect(FileManager.default.contents(atPath: url.path) == Data(Self.secret.utf8))
      let found = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(found[.protectionKey] as? FileProtectionType == .complete)
    }
  }

  @Test func coordinatedWritesProtect() throws {
    try run {
      var error: NSError?
      NSFileCoordinator(filePresenter: nil).coordinate(writingItemAt: url, error: &error) { url in
        try? Data(Self.secret.utf8).write(to: url, options: .completeFileProtection)
      }
      #expect(error == nil)
    }
  }
}
