import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// The blocks of a keybag and of the device's record are overwritten before they are freed.
@Suite struct ErasedBlocksTests {
  /// A file that stays open, so its blocks can be read after its name is gone.
  private final class OpenFile {
    private let handle: FileHandle
    let contents: Data

    init(_ path: String) throws {
      handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      contents = try handle.readToEnd() ?? Data()
    }

    var isOverwritten: Bool {
      get throws {
        try handle.seek(toOffset: 0)
        let now = try handle.readToEnd() ?? Data()
        // Random bytes equal a few of the former ones by chance.
        let kept = zip(now, contents).count { $0 == $1 }
        return kept * 4 < contents.count
      }
    }
  }

  private struct Place {
    let folder = TemporaryFolder()
    let keybag: Keybag

    init() throws {
      keybag = try Keybag.create(
        at: folder.url.appendingPathComponent("store"),
        device: FileDeviceKey.openOrCreate(in: folder.url.appendingPathComponent("device")),
        options: .forTesting())
    }

    func files() throws -> [OpenFile] {
      try ["store/keybag", "device/\(keybag.identity).keybag"].map {
        try OpenFile(folder.path($0))
      }
    }
  }

  @Test func aChangeOverwritesWhatItReplaces() throws {
    let place = try Place()
    for change in [
      { try place.keybag.set("first one") }, { try place.keybag.change("first one", "second one") },
      { try place.keybag.remove("second one") }, { try place.keybag.wipe() },
    ] {
      let files = try place.files()
      for file in files { #expect(try !file.isOverwritten, "Control: it is read as it was.") }
      try change()
      for file in files { #expect(try file.isOverwritten) }
    }
  }

  @Test func noSecondNameStays() throws {
    let place = try Place()
    try place.keybag.set("first one")
    for folder in ["store", "device"] {
      let names = try FileManager.default.contentsOfDirectory(atPath: place.folder.path(folder))
      #expect(!names.contains { $0.hasSuffix(".old") || $0.hasSuffix(".new") })
    }
  }

  @Test func aSecondNameFromACrashIsOverwrittenAtTheNextOpening() throws {
    let place = try Place()
    let store = place.folder.url.appendingPathComponent("store")
    let device = place.folder.url.appendingPathComponent("device")
    let name = "\(place.keybag.identity).keybag"
    // The state after the replacement and before the overwriting.
    for path in [store.path + "/keybag.old", device.path + "/\(name).old"] {
      try Data(repeating: 7, count: 600).write(to: URL(fileURLWithPath: path))
    }
    let left = try [
      OpenFile(store.path + "/keybag.old"), OpenFile(device.path + "/\(name).old"),
    ]
    _ = try Keybag.open(at: store, device: FileDeviceKey.openOrCreate(in: device))
    for file in left { #expect(try file.isOverwritten) }
    #expect(!FileManager.default.fileExists(atPath: store.path + "/keybag.old"))
    #expect(!FileManager.default.fileExists(atPath: device.path + "/\(name).old"))
  }

  @Test func aSecondNameOfThePresentFileIsRemovedAlone() throws {
    let place = try Place()
    let store = place.folder.url.appendingPathComponent("store")
    // The state before the replacement: both names belong to the current keybag.
    #expect(link(store.path + "/keybag", store.path + "/keybag.old") == 0)
    let keybag = try Keybag.open(
      at: store,
      device: FileDeviceKey.openOrCreate(in: place.folder.url.appendingPathComponent("device")))
    #expect(keybag.lockState == .unlocked)
    #expect(!FileManager.default.fileExists(atPath: store.path + "/keybag.old"))
  }

  @Test func aFileOfSomebodyElseIsNotOverwritten() throws {
    let place = try Place()
    let theirs = place.folder.path("theirs")
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: theirs))
    #expect(link(theirs, place.folder.path("store/keybag.old")) == 0)
    try place.keybag.set("first one")
    #expect(try Data(contentsOf: URL(fileURLWithPath: theirs)) == Data("not ours".utf8))
  }
}
