import AtRestCrypto
import AtRestFiles
import AtRestKeybag
import Foundation

/// A store in memory, and a folder for the files of one test.
final class TestFolder {
  let url: URL
  let storage = MemoryStorage()
  let device = MemoryDeviceKey()
  let keybag: Keybag
  /// The files of the store, in small chunks.
  let files: ProtectedFiles
  static let chunkSize = 1024

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "atrest-files-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    keybag = try Keybag.create(
      in: storage, device: device,
      passcode: SecretBox(SecretBytes(utf8: "1234")),
      options: .init(kdf: .forTesting, allowsWeakPasscode: true))
    files = ProtectedFiles(keybag).chunked(by: Self.chunkSize)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> URL { url.appendingPathComponent(name) }
  func unlock() throws { try keybag.unlock(passcode: SecretBytes(utf8: "1234")) }

  /// Opens the same store as another process would, before its first unlock.
  func openedAnew() throws -> Keybag { try Keybag.open(in: storage, device: device) }

  func stored(_ name: String) throws -> Data { try Data(contentsOf: path(name)) }

  /// The names of the files in the folder, sorted.
  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  static func bytes(_ count: Int, seed: UInt8 = 0) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) &+ seed })
  }
}

/// Returns the code of the error that a closure throws, or nil.
func refusal<Result>(_ body: () throws -> Result) -> AtRestError.Code? {
  do {
    _ = try body()
    return nil
  } catch {
    return (error as? AtRestError)?.code ?? AtRestError.Code(rawValue: "\(error)")
  }
}

/// Returns the message of the error that a closure throws, or an empty string.
func message<Result>(_ body: () throws -> Result) -> String {
  do {
    _ = try body()
    return ""
  } catch {
    return (error as? AtRestError)?.message ?? "\(error)"
  }
}
