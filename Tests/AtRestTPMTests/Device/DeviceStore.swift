import AtRestCrypto
import AtRestKeybag
import AtRestTPM
import Foundation

/// A store with a passcode, whose device key is in a software TPM. The folders end with it.
final class DeviceStore {
  static let passcode = "correct horse 42"

  let device: SoftwareTPM
  let folder: URL
  var deviceFolder: URL { folder.appendingPathComponent("device") }
  var storeFolder: URL { folder.appendingPathComponent("store") }
  static var options: Keybag.Options {
    Keybag.Options(kdf: .forTesting, allowsWeakPasscode: true)
  }

  init() throws {
    device = try SoftwareTPM()
    folder = device.folder.appendingPathComponent("folders")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
  }

  func create(_ transport: String? = nil, passcode: String = passcode) throws -> Keybag {
    let key = try TPMDeviceKey.create(in: deviceFolder, transport: transport ?? device.transport)
    return try Keybag.create(
      at: storeFolder, device: key.device, passcode: SecretBytes(utf8: passcode),
      options: Self.options)
  }

  func open(_ transport: String? = nil) throws -> Keybag {
    let key = try TPMDeviceKey(in: deviceFolder, transport: transport ?? device.transport)
    return try Keybag.open(at: storeFolder, device: key)
  }

  /// Copies both folders, as they are now.
  func copy() throws -> URL {
    let copy = device.folder.appendingPathComponent("copy-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.copyItem(at: folder, to: copy)
    return copy
  }

  /// Puts copies of both folders in place.
  func putBack(_ copy: URL) throws {
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.copyItem(at: copy, to: folder)
  }
}

extension Keybag {
  func unlock(_ passcode: String) throws { try unlock(passcode: SecretBytes(utf8: passcode)) }

  func change(_ old: String, _ new: String) throws {
    try changePasscode(
      from: SecretBytes(utf8: old), to: SecretBytes(utf8: new), allowsWeakPasscode: true)
  }
}
