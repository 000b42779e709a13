import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// The device's records of the folders of its stores.
@Suite struct StorePlaceTests {
  private let folder = TemporaryFolder()
  private var location: StoreLocation {
    StoreLocation(store: folder.path("store"), device: folder.path("device"))
  }

  private func places() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path("device")).filter {
      $0.hasPrefix("place-")
    }
  }

  @Test func aStoreIsMadeOnceAndOpenedThen() throws {
    let store = try location.openOrMakeKeybag().store
    #expect(try location.openOrMakeKeybag().store == store)
    let names = try places()
    #expect(names.count == 1)
    let name = try #require(names.first)
    #expect(name.count == "place-".count + 32)
    // The name of the record does not reveal the path.
    let record = try Data(contentsOf: folder.url.appendingPathComponent("device/\(name)"))
    #expect(record.count == 48 && record.prefix(16) == store.bytes)
  }

  @Test func aStoreThatIsGoneIsNotReplaced() throws {
    _ = try location.openOrMakeKeybag()
    try FileManager.default.removeItem(at: location.store)
    let error = try #require(thrown { try location.openOrMakeKeybag() })
    #expect(error.code == .storeMissing && error.refusal == .damaged)
    #expect(error.message.contains(location.store.path) && error.remedy.contains("atrest init"))
    #expect(try !location.exists)
    // No store is created in an empty folder either, such as the mount point of a missing disk.
    try FileManager.default.createDirectory(at: location.store, withIntermediateDirectories: true)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: location.store.path).allSatisfy {
        $0 == "lock"
      })
  }

  @Test func anotherStoreInItsPlaceIsRefused() throws {
    let first = try location.openOrMakeKeybag().store
    let device = try location.makeDevice()
    let other = folder.url.appendingPathComponent("other")
    _ = try Keybag.create(at: other, device: device, options: .init(kdf: .forTesting))
    let kept = folder.url.appendingPathComponent("kept")
    try FileManager.default.moveItem(at: location.store, to: kept)
    try FileManager.default.moveItem(at: other, to: location.store)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    // Control: the right one opens again.
    try FileManager.default.removeItem(at: location.store)
    try FileManager.default.moveItem(at: kept, to: location.store)
    #expect(try location.openOrMakeKeybag().store == first)
  }

  /// A link to another store of the device, which is the right store in its own folder.
  @Test func aLinkToAnotherStoreIsRefused() throws {
    _ = try location.openOrMakeKeybag()
    let elsewhere = StoreLocation(store: folder.path("elsewhere"), device: folder.path("device"))
    let other = try elsewhere.openOrMakeKeybag().store
    try FileManager.default.removeItem(at: location.store)
    try FileManager.default.createSymbolicLink(
      atPath: location.store.path, withDestinationPath: elsewhere.store.path)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    // Control: if nothing else is remembered, a link serves like the folder.
    let link = StoreLocation(store: folder.path("link"), device: folder.path("device"))
    try FileManager.default.createSymbolicLink(
      atPath: link.store.path, withDestinationPath: elsewhere.store.path)
    #expect(try link.openOrMakeKeybag().store == other)
  }

  /// The command line opens such a store, and must not report it as a store that never existed.
  @Test func aStoreThatIsGoneIsNotCalledNotFound() throws {
    #expect(refusal { try location.openKeybag() } == .notFound)
    #expect(!FileManager.default.fileExists(atPath: location.device.path))
    _ = try location.openOrMakeKeybag()
    try FileManager.default.removeItem(at: location.store)
    #expect(refusal { try location.openKeybag() } == .storeMissing)
    try FileManager.default.createDirectory(at: location.store, withIntermediateDirectories: true)
    #expect(refusal { try location.openKeybag() } == .storeMissing)
    // Control: another folder never had a store.
    let other = StoreLocation(store: folder.path("other"), device: folder.path("device"))
    #expect(refusal { try other.openKeybag() } == .notFound)
  }

  @Test func aStoreMadeOnPurposeTakesThePlace() throws {
    _ = try location.openOrMakeKeybag()
    try FileManager.default.removeItem(at: location.store)
    let device = try location.makeDevice()
    let made = try Keybag.create(
      at: location.store, device: device, options: .init(kdf: .forTesting))
    #expect(try location.openOrMakeKeybag().store == made.store)
  }

  @Test func aWipeForgetsThePlace() throws {
    let first = try location.openOrMakeKeybag()
    try first.wipe()
    #expect(try places() == [])
    #expect(try location.openOrMakeKeybag().store != first.store)
  }

  /// The wipe of another store, in a folder that the device remembers for this one.
  @Test func aWipeForgetsItsOwnPlaceAlone() throws {
    let keybag = try location.openOrMakeKeybag()
    let device = try location.makeDevice()
    let other = folder.url.appendingPathComponent("other")
    try Keybag.create(at: other, device: device, options: .init(kdf: .forTesting)).wipe()
    #expect(try places().count == 1)
    #expect(try location.openOrMakeKeybag().store == keybag.store)
  }

  @Test func itIsForgottenOnRequest() throws {
    let first = try location.openOrMakeKeybag().store
    try FileManager.default.removeItem(at: location.store)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    try location.forgetStore()
    #expect(try location.openOrMakeKeybag().store != first)
  }

  @Test func anotherStoreIsAcceptedOnRequest() throws {
    _ = try location.openOrMakeKeybag()
    let device = try location.makeDevice()
    let other = folder.url.appendingPathComponent("other")
    _ = try Keybag.create(at: other, device: device, options: .init(kdf: .forTesting))
    try FileManager.default.removeItem(at: location.store)
    try FileManager.default.moveItem(at: other, to: location.store)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    // The command line opens it, because it opens any store that it is given.
    let keybag = try location.openKeybag()
    try location.acceptStore(keybag)
    #expect(try location.openOrMakeKeybag().store == keybag.store)
  }

  @Test func forgettingMakesNoDeviceKey() throws {
    try location.forgetStore()
    #expect(!FileManager.default.fileExists(atPath: location.device.path))
  }

  @Test func aStoreThatIsThereIsRememberedWhenItIsOpened() throws {
    let device = try location.makeDevice()
    let store = try Keybag.create(
      at: location.store, device: device, options: .init(kdf: .forTesting)
    ).store
    try location.forgetStore()
    #expect(try places() == [])
    #expect(try location.openOrMakeKeybag().store == store)
    #expect(try places().count == 1)
  }

  @Test func aRecordThatWasChangedIsRefused() throws {
    _ = try location.openOrMakeKeybag()
    let name = try #require(try places().first)
    let url = folder.url.appendingPathComponent("device/\(name)")
    let whole = try Data(contentsOf: url)
    for index in [0, 15, 16, 47] {
      var flipped = whole
      flipped[index] ^= 1
      try flipped.write(to: url)
      #expect(refusal { try location.openOrMakeKeybag() } == .damaged)
    }
    for count in [0, 16, 47] {
      try whole.prefix(count).write(to: url)
      #expect(refusal { try location.openOrMakeKeybag() } == .damaged)
    }
    // Control.
    try whole.write(to: url)
    _ = try location.openOrMakeKeybag()
  }

  @Test func aRecordOfAnotherPlaceIsRefused() throws {
    let elsewhere = StoreLocation(store: folder.path("elsewhere"), device: folder.path("device"))
    _ = try location.openOrMakeKeybag()
    let own = try #require(try places().first)
    _ = try elsewhere.openOrMakeKeybag()
    let other = try #require(try places().first { $0 != own })
    let device = folder.url.appendingPathComponent("device")
    try FileManager.default.removeItem(at: device.appendingPathComponent(own))
    try FileManager.default.copyItem(
      at: device.appendingPathComponent(other), to: device.appendingPathComponent(own))
    #expect(refusal { try location.openOrMakeKeybag() } == .damaged)
    // Control.
    _ = try elsewhere.openOrMakeKeybag()
  }

  /// The folder of the store is a link to a disk that is then not mounted.
  @Test func aLinkToADiskThatIsGoneIsNotReplaced() throws {
    let disk = folder.url.appendingPathComponent("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: location.store.path, withDestinationPath: folder.path("disk/store"))
    try FileManager.default.createDirectory(
      atPath: folder.path("disk/store"), withIntermediateDirectories: true)
    let store = try location.openOrMakeKeybag().store
    let away = folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: disk, to: away)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    // The path to which the link leads.
    let direct = StoreLocation(store: folder.path("disk/store"), device: folder.path("device"))
    #expect(refusal { try direct.openOrMakeKeybag() } == .storeMissing)
    // The path after the link was removed.
    try FileManager.default.removeItem(at: location.store)
    #expect(refusal { try location.openOrMakeKeybag() } == .storeMissing)
    #expect(!FileManager.default.fileExists(atPath: disk.path))
    // Control: with the disk, the store is there again by either path.
    try FileManager.default.moveItem(at: away, to: disk)
    #expect(try direct.openOrMakeKeybag().store == store)
  }
}
