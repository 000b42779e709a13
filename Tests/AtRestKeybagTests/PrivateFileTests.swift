import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A file in the folder of a store or a device is opened only if no other user can change it.
@Suite struct PrivateFileTests {
  private let folder = TemporaryFolder()
  private let store: URL
  private let device: FileDeviceKey
  private let keybag: Keybag

  init() throws {
    store = folder.url.appendingPathComponent("store")
    device = try FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device"))
    keybag = try Keybag.create(at: store, device: device, options: .forTesting())
  }

  private func open() throws {
    _ = try Keybag.open(at: store, device: device)
    try FolderStorage(store).exclusively {}
    try device.exclusively("\(keybag.identity).keybag") {}
  }

  private static let files = [
    "store/keybag", "store/lock", "device/ID.keybag", "device/ID.keybag.lock",
  ]

  private func path(_ file: String) throws -> String {
    try open()
    return folder.path(file.replacingOccurrences(of: "ID", with: keybag.identity.text))
  }

  @Test(arguments: files) func whatOthersCanWriteToIsRefused(_ file: String) throws {
    let path = try path(file)
    for mode: mode_t in [0o620, 0o602, 0o777] {
      #expect(chmod(path, mode) == 0)
      let error = try #require(thrown { try open() })
      #expect(error.code == .notPermitted)
      #expect(error.message.contains(path) && error.remedy.contains("chmod 600"))
    }
    // Control: a file that others can only read is opened. The status lists it.
    #expect(chmod(path, 0o644) == 0)
    try open()
  }

  @Test(arguments: files) func aSecondNameIsRefused(_ file: String) throws {
    let path = try path(file)
    #expect(link(path, folder.path("second")) == 0)
    let error = try #require(thrown { try open() })
    #expect(error.code == .damaged && error.message.contains(path))
    #expect(unlink(folder.path("second")) == 0)
    try open()
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root gives a file to another user"), arguments: files)
  func whatBelongsToAnotherUserIsRefused(_ file: String) throws {
    let path = try path(file)
    #expect(chown(path, 65_534, 65_534) == 0)
    let error = try #require(thrown { try open() })
    #expect(error.code == .notPermitted && error.message.contains("another user"))
    #expect(chown(path, 0, 0) == 0)
    try open()
  }

  @Test(arguments: files) func aLinkIsDamage(_ file: String) throws {
    let path = try path(file)
    let other = folder.path("other")
    #expect(rename(path, other) == 0 && symlink(other, path) == 0)
    #expect(refusal { try open() } == .damaged)
  }

  /// An interrupted replacement leaves the current keybag with two names, both in the store.
  @Test func theSecondNameOfAReplacementIsNoRefusal() throws {
    let path = store.appendingPathComponent("keybag").path
    #expect(link(path, path + ".old") == 0)
    try open()
    #expect(!FileManager.default.fileExists(atPath: path + ".old"))
  }

  @Test func aCounterWithASecondNameIsNotWrittenTo() throws {
    let victim = folder.path("victim")
    try Data("precious".utf8).write(to: URL(fileURLWithPath: victim))
    #expect(link(victim, folder.path("device/name.counter")) == 0)
    #expect(
      refusal { try device.remember(Data(count: 32), as: "name.counter", durably: false) }
        == .damaged)
    #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data("precious".utf8))
  }

  @Test(arguments: [0o777, 0o775, 0o772]) func nothingIsBegunWhereOthersCanWrite(
    _ mode: Int
  ) throws {
    for name in ["new", "newDevice"] {
      try FileManager.default.createDirectory(
        at: folder.url.appendingPathComponent(name), withIntermediateDirectories: true)
      #expect(chmod(folder.path(name), mode_t(mode)) == 0)
    }
    let new = folder.url.appendingPathComponent("new")
    let newDevice = folder.url.appendingPathComponent("newDevice")
    #expect(
      refusal { try Keybag.create(at: new, device: device, options: .forTesting()) }
        == .notPermitted)
    #expect(refusal { try FileDeviceKey.openOrCreate(in: newDevice) } == .notPermitted)
    for name in ["new", "newDevice"] {
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(name)) == [])
      // Control: the same folder, once only the user can access it.
      #expect(chmod(folder.path(name), 0o755) == 0)
    }
    _ = try FileDeviceKey.openOrCreate(in: newDevice)
    _ = try Keybag.create(at: new, device: device, options: .forTesting())
  }

  @Test func widerModesAreARisk() throws {
    let location = StoreLocation(store: store.path, device: folder.path("device"))
    func risk() -> String? { location.risks.first { $0.id == "open-permissions" }?.message }
    #expect(risk() == nil)
    #expect(chmod(store.path, 0o755) == 0)
    #expect(risk()?.contains("\(store.path) (mode 755)") == true)
    #expect(chmod(store.path, 0o700) == 0 && chmod(folder.path("device/lock"), 0o644) == 0)
    #expect(risk()?.contains("device/lock (mode 644)") == true)
    #expect(chmod(folder.path("device/lock"), 0o600) == 0)
    // Files of other programs are not reported.
    try Data().write(to: folder.url.appendingPathComponent("device/notes"))
    #expect(risk() == nil)
  }
}
