import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// An attacker reads the blocks of a disk, including free ones. The test runs if an ext4 image can
/// be mounted: as root, with the tools and a loop device.
@Suite struct CarvedBlocksTests {
  /// An ext4 file system in a file.
  private final class Image {
    let scratch: Scratch
    let file: URL
    let folder: URL

    init?() throws {
      guard geteuid() == 0 else { return nil }
      scratch = try Scratch()
      file = scratch.folder.appendingPathComponent("image")
      folder = scratch.folder.appendingPathComponent("mounted")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data().write(to: file)
      truncate(file.path, 16 << 20)
      guard Self.run("mkfs.ext4", "-q", "-F", file.path),
        Self.run("mount", "-o", "loop", file.path, folder.path)
      else { return nil }
    }

    /// Returns all blocks, once everything is on the disk.
    func contents() throws -> Data {
      _ = Self.run("umount", folder.path)
      return try Data(contentsOf: file)
    }

    deinit { _ = Self.run("umount", folder.path) }

    private static func run(_ arguments: String...) -> Bool {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = arguments
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      process.environment = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }
  }

  @Test func noBlockHasAFormerKeybagOrShare() throws {
    guard let image = try Image() else {
      print("carved blocks: no ext4 image can be mounted here")
      return
    }
    let store = image.folder.appendingPathComponent("store")
    let deviceFolder = image.folder.appendingPathComponent("device")
    let options = Keybag.Options(kdf: .forTesting)
    let keybag = try Keybag.create(
      at: store, device: FileDeviceKey.openOrCreate(in: deviceFolder), options: options)
    func files() throws -> [Data] {
      let record = deviceFolder.appendingPathComponent("\(keybag.identity.text).keybag")
      return try [store.appendingPathComponent("keybag"), record].map { try Data(contentsOf: $0) }
    }
    var former: [Data] = []
    let first = SecretBytes(utf8: "the first passcode")
    let second = SecretBytes(utf8: "the second passcode")
    // Each state reaches the disk before it is replaced.
    func settle() throws {
      sync()
      former += try files()
    }
    try settle()
    try keybag.setPasscode(first, options: options)
    try settle()
    try keybag.changePasscode(from: first, to: second)
    try settle()
    try keybag.removePasscode(second)
    try settle()
    try keybag.setPasscode(first, options: options)
    sync()
    let present = try files()
    // Control: a file that is replaced without being overwritten is found.
    let plain = image.folder.appendingPathComponent("plain")
    let marker = RandomBytes.data(count: 600)
    try marker.write(to: plain)
    sync()
    try RandomBytes.data(count: 600).write(to: plain, options: .atomic)
    keybag.close()

    let blocks = try image.contents()
    #expect(blocks.range(of: marker) != nil)
    for data in present { #expect(blocks.range(of: data) != nil) }
    // The pieces have 32 bytes: a share, and the beginning of wrapped keys.
    var pieces = 0
    for data in former {
      for start in stride(from: 42, to: data.count - 32, by: 32) {
        let piece = data[data.startIndex + start..<data.startIndex + start + 32]
        // Skips bytes that are the same in every version, such as zeros.
        guard Set(piece).count > 16, !present.contains(where: { $0.range(of: piece) != nil }) else {
          continue
        }
        pieces += 1
        #expect(blocks.range(of: piece) == nil)
      }
    }
    #expect(pieces > 40)
    print("carved blocks: \(pieces) pieces of \(former.count) former files, none found")
  }
}
