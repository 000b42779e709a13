import AtRestCrypto
import AtRestKeybag
import Foundation
import Testing

/// A device key that is missing is reported, and never replaced by a new one.
@Suite struct MissingDeviceTests {
  private let folder = TemporaryFolder()
  private var location: StoreLocation {
    StoreLocation(store: folder.path("store"), device: folder.path("device"))
  }

  private func create() throws -> StoreIdentity {
    let keybag = try Keybag.create(
      at: location.store, device: location.makeDevice(), options: .init(kdf: .forTesting))
    defer { keybag.close() }
    return keybag.identity
  }

  private func isUntouched(_ body: () throws -> Void) throws {
    func names() -> [String] {
      ((try? FileManager.default.subpathsOfDirectory(atPath: folder.url.path)) ?? [])
        .filter { !$0.hasSuffix("lock") }.sorted()
    }
    let before = names()
    try body()
    #expect(names() == before)
  }

  /// Every way to a store that opens its device.
  private static let ways: [@Sendable (StoreLocation) throws -> Void] = [
    { _ = try $0.openKeybag() }, { _ = try $0.openOrMakeKeybag() }, { _ = try $0.openDevice() },
    { _ = try $0.makeDevice() }, { _ = try DeviceRoot.open(in: $0.device) },
    { _ = try FileDeviceKey(in: $0.device) }, { _ = try $0.openKeybagToWipe(expecting: nil) },
  ]

  @Test(arguments: ways.indices)
  func aMissingFolderIsReported(_ way: Int) throws {
    let identity = try create()
    let kept = folder.url.appendingPathComponent("kept")
    try FileManager.default.moveItem(at: location.device, to: kept)
    try isUntouched {
      let error = try #require(thrown { try Self.ways[way](location) })
      #expect(error.code == .deviceMissing && error.refusal == .damaged)
      #expect(error.message.contains(location.device.path) && error.message.contains("missing"))
      #expect(error.remedy.contains("Mount its disk"))
    }
    // The control: with the folder back, the store opens.
    try FileManager.default.moveItem(at: kept, to: location.device)
    #expect(try location.openKeybag().identity == identity)
  }

  /// An empty folder, as the mount point of a disk that is not mounted.
  @Test(arguments: ways.indices)
  func anEmptyFolderIsReported(_ way: Int) throws {
    _ = try create()
    try FileManager.default.removeItem(at: location.device)
    try FileManager.default.createDirectory(at: location.device, withIntermediateDirectories: true)
    try isUntouched {
      #expect(refusal { try Self.ways[way](location) } == .deviceMissing)
    }
  }

  /// A folder with the records of stores needs the key that they belong to, whatever the store's folder has.
  @Test(arguments: [true, false])
  func aKeyThatIsMissingBesideItsRecordsIsNotReplaced(withStore: Bool) throws {
    _ = try create()
    try FileManager.default.removeItem(at: location.device.appendingPathComponent("device.key"))
    if !withStore { try FileManager.default.removeItem(at: location.store) }
    try isUntouched {
      for root in [nil, DeviceRoot.file] as [DeviceRoot?] {
        #expect(refusal { try location.makeDevice(root) } == .deviceMissing)
      }
      #expect(refusal { try location.openOrMakeKeybag() } == .deviceMissing)
      #expect(refusal { try FileDeviceKey.create(in: location.device) } == .deviceMissing)
      #expect(refusal { try DeviceRoot.present(in: location.device) } == .deviceMissing)
    }
  }

  /// A database whose keybag is gone is no new store either.
  @Test func aDatabaseWithoutKeybagAndDeviceIsNotNew() throws {
    try FileManager.default.createDirectory(at: location.store, withIntermediateDirectories: true)
    try Data("x".utf8).write(to: location.store.appendingPathComponent("keychain.db"))
    try isUntouched { #expect(refusal { try location.openOrMakeKeybag() } == .deviceMissing) }
  }

  @Test func withoutAnythingAStoreIsMadeAtTheFirstUse() throws {
    let made = try location.openOrMakeKeybag().identity
    #expect(try location.openKeybag().identity == made)
  }

  @Test func withoutAStoreNothingIsMissing() throws {
    #expect(refusal { try location.openKeybag() } == .notFound)
    try FileManager.default.createDirectory(at: location.store, withIntermediateDirectories: true)
    #expect(refusal { try location.openKeybag() } == .notFound)
    #expect(try DeviceRoot.present(in: location.device) == nil)
  }

  @Test func creatingIsADecision() throws {
    let device = folder.url.appendingPathComponent("device")
    #expect(refusal { try FileDeviceKey(in: device) } == .deviceMissing)
    _ = try FileDeviceKey.create(in: device)
    #expect(refusal { try FileDeviceKey.create(in: device) } == .duplicate)
    _ = try FileDeviceKey(in: device)
    _ = try FileDeviceKey.openOrCreate(in: device)
  }
}
