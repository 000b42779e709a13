import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A former record that could not be erased is a risk until it is erased.
@Suite struct UnerasedRecordTests {
  @Test(arguments: [".old", ".new"]) func itIsARiskUntilItIsErased(_ end: String) throws {
    let folder = TemporaryFolder()
    let device = try FileDeviceKey.create(in: folder.url.appendingPathComponent("device"))
    let keybag = try Keybag.create(
      at: folder.url.appendingPathComponent("store"), device: device, options: .forTesting())
    #expect(!keybag.risks.contains { $0.id == "former-record-in-place" })
    // A folder cannot be erased like a file.
    let path = folder.path("device/\(keybag.identity.text).keybag")
    try FileManager.default.createDirectory(
      atPath: path + end, withIntermediateDirectories: false)
    let risk = try #require(keybag.risks.first { $0.id == "former-record-in-place" })
    #expect(risk.message.contains(path))
    try FileManager.default.removeItem(atPath: path + end)
    try Data("former".utf8).write(to: URL(fileURLWithPath: path + end))
    #expect(!keybag.risks.contains { $0.id == "former-record-in-place" })
    #expect(!FileManager.default.fileExists(atPath: path + end))
  }
}
