import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation
import Testing

/// An older store is detected, even if its device folder is put back with it.
@Suite(.enabled(if: SoftwareTPM.isInstalled, "\(SoftwareTPM.reason)"))
struct RolledBackDeviceTests {
  @Test func bothFoldersPutBack() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let before = try store.copy()
    try keybag.change(DeviceStore.passcode, "another horse 43")
    let now = try store.copy()
    try store.putBack(before)
    #expect(refusal { try store.open() }?.code == .rolledBack)
    // The control: the present folders open.
    try store.putBack(now)
    try store.open().unlock("another horse 43")
  }

  @Test func whileAProcessHasTheDeviceOpen() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let before = try store.copy()
    try keybag.change(DeviceStore.passcode, "another horse 43")
    try store.putBack(before)
    let error = refusal { try keybag.device.recall("\(keybag.identity.text).keybag") }
    #expect(error?.code == .rolledBack)
  }

  @Test func oneRecordPutBackToBeforeTheLastStep() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let name = "\(keybag.identity.text).test"
    let path = store.deviceFolder.appendingPathComponent("tpm/\(name)")
    try keybag.device.remember(Data("one".utf8), as: name, durably: true)
    let older = try Data(contentsOf: path)
    try keybag.device.remember(Data("two".utf8), as: name, durably: true)
    try keybag.change(DeviceStore.passcode, "another horse 43")
    try older.write(to: path)
    #expect(refusal { try keybag.device.recall(name) }?.code == .rolledBack)
    try FileManager.default.removeItem(at: path)
    #expect(refusal { try keybag.device.recall(name) }?.code == .rolledBack)
  }

  /// This is the window that SECURITY.md states: between two steps, older records pass.
  @Test func betweenTwoStepsAnOlderRecordPasses() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let name = "\(keybag.identity.text).test"
    let path = store.deviceFolder.appendingPathComponent("tpm/\(name)")
    try keybag.device.remember(Data("one".utf8), as: name, durably: true)
    let older = try Data(contentsOf: path)
    try keybag.device.remember(Data("two".utf8), as: name, durably: true)
    try older.write(to: path)
    #expect(try keybag.device.recall(name) == Data("one".utf8))
  }

  @Test func aModifiedRecordIsDamaged() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let name = "\(keybag.identity.text).test"
    let path = store.deviceFolder.appendingPathComponent("tpm/\(name)")
    try keybag.device.remember(Data("one".utf8), as: name, durably: true)
    var bytes = try Data(contentsOf: path)
    for index in bytes.indices {
      bytes[index] ^= 1
      try bytes.write(to: path)
      #expect(refusal { try keybag.device.recall(name) } != nil, "byte \(index)")
      bytes[index] ^= 1
    }
    try bytes.write(to: path)
    #expect(try keybag.device.recall(name) == Data("one".utf8))
  }

  @Test func aForgottenRecordDoesNotComeBack() throws {
    let store = try DeviceStore()
    let keybag = try store.create()
    let name = "\(keybag.identity.text).test"
    let path = store.deviceFolder.appendingPathComponent("tpm/\(name)")
    try keybag.device.remember(Data("one".utf8), as: name, durably: true)
    let older = try Data(contentsOf: path)
    try keybag.device.forget(name)
    #expect(try keybag.device.recall(name) == nil)
    try keybag.change(DeviceStore.passcode, "another horse 43")
    #expect(try keybag.device.recall(name) == nil)
    #expect(!FileManager.default.fileExists(atPath: path.path))
    try older.write(to: path)
    #expect(refusal { try keybag.device.recall(name) }?.code == .rolledBack)
  }
}
