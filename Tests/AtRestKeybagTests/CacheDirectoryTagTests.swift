import AtRestKeybag
import Foundation
import Testing

/// The file that makes backup tools leave the device key out.
@Suite struct CacheDirectoryTagTests {
  private static let signature = "Signature: 8a477f597d28d172789f06886806bc55"

  @Test func aFolderThatIsMadeIsTagged() throws {
    let folder = TemporaryFolder()
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    let tag = try String(contentsOfFile: folder.path("CACHEDIR.TAG"), encoding: .utf8)
    let lines = tag.split(separator: "\n")
    #expect(lines.first == Self.signature[...])
    #expect(lines.count > 1 && lines.dropFirst().allSatisfy { $0.hasPrefix("#") })
  }

  @Test func aFolderWithOtherThingsIsNotTagged() throws {
    let folder = TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    try Data().write(to: folder.url.appendingPathComponent("thesis"))
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    #expect(!FileManager.default.fileExists(atPath: folder.path("CACHEDIR.TAG")))
  }

  @Test func aTagThatWasRemovedStaysAway() throws {
    let folder = TemporaryFolder()
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    try FileManager.default.removeItem(atPath: folder.path("CACHEDIR.TAG"))
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    #expect(!FileManager.default.fileExists(atPath: folder.path("CACHEDIR.TAG")))
  }

  #if os(Linux)
    @Test func tarLeavesTheDeviceKeyOut() throws {
      let folder = TemporaryFolder()
      _ = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device"))
      try Data().write(to: folder.url.appendingPathComponent("other"))
      func names(_ options: [String]) throws -> [String] {
        let tar = Process()
        let pipe = Pipe()
        tar.executableURL = URL(fileURLWithPath: "/bin/sh")
        tar.arguments = [
          "-c", "tar -C \"$1\" -c $2 . | tar -t", "sh", folder.url.path,
          options.joined(separator: " "),
        ]
        tar.standardOutput = pipe
        try tar.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        tar.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
      }
      let kept = try names(["--exclude-caches"])
      #expect(kept.contains("./other") && !kept.contains("./device/device.key"))
      // Control: without the option, the backup contains the key.
      #expect(try names([]).contains("./device/device.key"))
    }
  #endif
}
