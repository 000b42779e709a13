import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// The device key file is readable only by its owner, is complete, and stays the same.
@Suite struct DeviceKeyFileTests {
  private func mark(_ key: FileDeviceKey) throws -> Data {
    Data(copying: try key.tangle(SecretBytes(utf8: "input"), purpose: Purpose("test")))
  }

  @Test func itIsTheSameEachTimeAndAnotherElsewhere() throws {
    let folder = TemporaryFolder()
    let other = TemporaryFolder()
    let first = try mark(FileDeviceKey.openOrCreate(in: folder.url))
    #expect(try mark(FileDeviceKey.openOrCreate(in: folder.url)) == first)
    #expect(try mark(FileDeviceKey.openOrCreate(in: other.url)) != first)
  }

  @Test(arguments: [0o640, 0o604, 0o644, 0o660, 0o610, 0o601])
  func whatOthersMayReachIsRefused(_ mode: Int) throws {
    let folder = TemporaryFolder()
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    let path = folder.path("device.key")
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    let error = try #require(thrown { try FileDeviceKey.openOrCreate(in: folder.url) })
    #expect(error.code == .notPermitted && error.remedy.contains("chmod 600"))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
  }

  @Test(.enabled(if: geteuid() == 0, "only root gives a file to another user"))
  func whatBelongsToAnotherUserIsRefused() throws {
    let folder = TemporaryFolder()
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    #expect(chown(folder.path("device.key"), 65_534, 65_534) == 0)
    let error = try #require(thrown { try FileDeviceKey.openOrCreate(in: folder.url) })
    #expect(error.code == .notPermitted && error.message.contains("another user"))
    #expect(chown(folder.path("device.key"), 0, 0) == 0)
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
  }

  @Test func whatIsNoRegularFileIsRefusedAtOnce() throws {
    let folder = TemporaryFolder()
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    let path = folder.path("device.key")
    #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
    #expect(refusal { try FileDeviceKey.openOrCreate(in: folder.url) } == .damaged)
  }

  @Test func aDamagedOneIsRefusedAndNotReplaced() throws {
    let folder = TemporaryFolder()
    _ = try FileDeviceKey.openOrCreate(in: folder.url)
    let file = folder.url.appendingPathComponent("device.key")
    let whole = try Data(contentsOf: file)
    func code(_ data: Data) throws -> AtRestError.Code? {
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 0)
      try handle.write(contentsOf: data)
      try handle.close()
      let code = refusal { try FileDeviceKey.openOrCreate(in: folder.url) }
      #expect(try Data(contentsOf: file) == data)
      return code
    }
    for index in whole.indices {
      var flipped = whole
      flipped[index] ^= 1
      #expect(
        try code(flipped) == ((8..<10).contains(index) ? .unsupportedVersion : .damaged))
    }
    for count in 0..<whole.count { #expect(try code(whole.prefix(count)) == .damaged) }
    #expect(try code(whole + whole) == .damaged)
    #expect(try code(whole) == nil)
  }

  @Test func aStoreCopiedWithoutItDoesNotOpen() throws {
    let folder = TemporaryFolder()
    let device = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device"))
    let store = folder.url.appendingPathComponent("store")
    _ = try Keybag.create(at: store, device: device, options: .forTesting())
    let copy = folder.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: store, to: copy)
    let other = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("other"))
    #expect(refusal { try Keybag.open(at: copy, device: other) } == .damaged)
    // Control: with the device key, the copy opens.
    #expect(try Keybag.open(at: copy, device: device).lockState == .unlocked)
  }

  @Test func whatItRemembersIsRecalledAndForgotten() throws {
    let folder = TemporaryFolder()
    let key = try FileDeviceKey.openOrCreate(in: folder.url)
    for durably in [true, false, true, false] {
      let data = Data((0..<40).map { _ in UInt8.random(in: 0 ... .max) })
      try key.remember(data, as: "name.counter", durably: durably)
      #expect(try key.recall("name.counter") == data)
      #expect(try FileDeviceKey.openOrCreate(in: folder.url).recall("name.counter") == data)
    }
    try key.forget("name.counter")
    #expect(try key.recall("name.counter") == nil)
    try key.forget("name.counter")
  }

  @Test func itSaysWhatItRisks() throws {
    let folder = TemporaryFolder()
    #expect(
      try FileDeviceKey.openOrCreate(in: folder.url).risks.map(\.id) == ["software-device-key"])
  }
}
