import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A device remembers each store until it is wiped or forgotten, and no store that never came to be.
@Suite struct RememberedStoreTests {
  private let folder = TemporaryFolder()
  private var deviceFolder: URL { folder.url.appendingPathComponent("device") }

  private func stores() throws -> [RememberedStore] { try DeviceRoot.stores(in: deviceFolder) }

  private func create(_ name: String, _ device: any DeviceKeyProvider) throws -> StoreIdentity {
    let keybag = try Keybag.create(
      at: folder.url.appendingPathComponent(name), device: device, options: .forTesting())
    defer { keybag.close() }
    return keybag.identity
  }

  /// The records of a device that have a part of a key, or belong to a store that has one.
  private func records() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: deviceFolder.path).filter {
      $0.hasSuffix(".attempts") || $0.hasSuffix(".folder")
    }
  }

  @Test func eachStoreIsListedWithItsFolder() throws {
    let device = try FileDeviceKey.create(in: deviceFolder)
    let one = try create("one", device)
    let two = try create("two", device)
    try FileManager.default.removeItem(atPath: folder.path("two"))
    let stores = try stores().sorted { ($0.folder ?? "") < ($1.folder ?? "") }
    #expect(stores.map(\.identity) == [one, two])
    #expect(
      stores.map(\.folder) == [
        RealPath.of(URL(fileURLWithPath: folder.path("one"))),
        RealPath.of(URL(fileURLWithPath: folder.path("two"))),
      ])
    #expect(stores.map(\.isThere) == [true, false])
  }

  /// The record does not show the path, as the other records do not.
  @Test func theFolderIsSealed() throws {
    let device = try FileDeviceKey.create(in: deviceFolder)
    let store = try create("shown-nowhere", device)
    let record = try Data(contentsOf: deviceFolder.appendingPathComponent("\(store).folder"))
    #expect(record.range(of: Data("shown-nowhere".utf8)) == nil)
    try Data(count: record.count).write(to: deviceFolder.appendingPathComponent("\(store).folder"))
    // A record that was modified is no hindrance.
    #expect(try stores().map(\.folder) == [nil])
    _ = try Keybag.open(at: folder.url.appendingPathComponent("shown-nowhere"), device: device)
  }

  @Test func aStoreThatWasMovedIsFollowedAndACopyIsNot() throws {
    let store = try create("store", FileDeviceKey.create(in: deviceFolder))
    func open(_ name: String) throws -> String? {
      try StoreLocation(store: folder.path(name), device: deviceFolder.path).openKeybag().close()
      #expect(try stores().map(\.identity) == [store])
      return try stores().first { $0.isThere }?.folder.map {
        URL(fileURLWithPath: $0).lastPathComponent
      }
    }
    try FileManager.default.copyItem(atPath: folder.path("store"), toPath: folder.path("copy"))
    #expect(try open("copy") == "store")
    try FileManager.default.moveItem(atPath: folder.path("store"), toPath: folder.path("moved"))
    #expect(try stores().map(\.isThere) == [false])
    #expect(try open("moved") == "moved")
    #expect(try open("copy") == "moved")
  }

  /// The process ends at each write of a creation.
  @Test func aStoreThatNeverCameToBeIsNotRemembered() throws {
    var number = 0
    while true {
      let folder = TemporaryFolder()
      let deviceFolder = folder.url.appendingPathComponent("device")
      let place = folder.url.appendingPathComponent("store")
      let device = try FileDeviceKey.create(in: deviceFolder)
      let limit = WriteLimit(number)
      let isWhole: Bool
      do {
        try Keybag.create(
          at: place, device: EndingDevice(device, limit), options: .forTesting()
        ).close()
        isWhole = true
      } catch is WriteLimit.Ended {
        isWhole = false
      }
      let isThere = FileManager.default.fileExists(atPath: folder.path("store/keybag"))
      #expect(try DeviceRoot.stores(in: deviceFolder).map(\.isThere) == (isThere ? [true] : []))
      guard !isWhole else { break }
      if !isThere {
        let made = try Keybag.create(at: place, device: device, options: .forTesting())
        #expect(try DeviceRoot.stores(in: deviceFolder).map(\.identity) == [made.identity])
        // The records of the other one are gone, except that it is never to be accepted.
        let names = try FileManager.default.contentsOfDirectory(atPath: deviceFolder.path)
        #expect(names.filter { $0.hasSuffix(".attempts") } == ["\(made.identity).attempts"])
        #expect(names.filter { $0.hasSuffix(".folder") } == ["\(made.identity).folder"])
      }
      // What is there opens, and counts as a store from then on.
      let opened = try Keybag.open(at: place, device: device)
      // An open store makes the file of its announcements anew.
      opened.close()
      try FileManager.default.removeItem(at: place)
      #expect(try DeviceRoot.stores(in: deviceFolder).map(\.identity) == [opened.identity])
      number += 1
    }
    #expect(number == 5, "record, attempts, folder, record, place")
  }

  /// The store in another folder may be on a disk that is not mounted.
  @Test func onlyTheCreationInAFolderDropsTheOneThatWasInterruptedThere() throws {
    let device = try FileDeviceKey.create(in: deviceFolder)
    let place = folder.url.appendingPathComponent("store")
    #expect(throws: WriteLimit.Ended.self) {
      try Keybag.create(
        at: place, device: EndingDevice(device, WriteLimit(3)), options: .forTesting())
    }
    let away = folder.url.appendingPathComponent("away")
    try FileManager.default.moveItem(at: place, to: away)
    _ = try create("other", device)
    try FileManager.default.moveItem(at: away, to: place)
    let opened = try Keybag.open(at: place, device: device)
    #expect(try stores().count == 2)
    opened.close()
    // Control: after the opening, nothing drops it.
    try FileManager.default.moveItem(at: place, to: away)
    _ = try create("store", device)
    try FileManager.default.removeItem(at: place)
    try FileManager.default.moveItem(at: away, to: place)
    _ = try Keybag.open(at: place, device: device)
  }

  @Test func aStoreThatIsGoneIsForgottenOnRequest() throws {
    let device = try FileDeviceKey.create(in: deviceFolder)
    let store = try create("store", device)
    let place = folder.url.appendingPathComponent("store")
    let copy = folder.url.appendingPathComponent("copy")
    try FileManager.default.copyItem(at: place, to: copy)
    let refused = try #require(thrown { try DeviceRoot.forget(store, in: deviceFolder) })
    #expect(refused.code == .notPermitted && refused.remedy.contains("atrest wipe --store"))
    try FileManager.default.removeItem(at: place)
    // Control: absence forgets nothing.
    #expect(try stores().map(\.identity) == [store])
    #expect(refusal { try Keybag.open(at: copy, device: device).close() } == nil)
    try DeviceRoot.forget(store, in: deviceFolder)
    #expect(try stores() == [])
    #expect(try records() == [])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: deviceFolder.path).allSatisfy {
        !$0.hasPrefix("place-")
      })
    #expect(refusal { try Keybag.open(at: copy, device: device) } == .wiped)
    #expect(refusal { try DeviceRoot.forget(store, in: deviceFolder) } == .notFound)
  }
}
