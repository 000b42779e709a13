import AtRestCrypto
import AtRestFormats
import Foundation

/// The contents of `Manifest.plist`, and of `Info.plist` for values that `Manifest.plist` lacks.
struct BackupManifest {
  private(set) var info = Backup.Info()
  private(set) var applications: [Backup.Application] = []
  private(set) var keybag: Data?
  /// The class of `Manifest.db` in 4 bytes, little-endian, followed by its wrapped key.
  private(set) var manifestKey: Data?
  private(set) var skipped: [Skip] = []

  /// Reads the property lists of a backup.
  ///
  /// - Throws: ``AtRestError/Code/damaged`` if `Manifest.plist` exists and cannot be read.
  init(_ storage: any BackupStorage) throws(AtRestError) {
    if let manifest = try Self.root(of: "Manifest.plist", in: storage, &skipped) {
      keybag = manifest["BackupKeyBag"]?.data
      manifestKey = manifest["ManifestKey"]?.data
      let lockdown = manifest["Lockdown"]
      info.deviceName = lockdown?["DeviceName"]?.string
      info.deviceModel = lockdown?["ProductType"]?.string
      info.systemVersion = lockdown?["ProductVersion"]?.string
      info.date = manifest["Date"]?.date
      info.wasPasscodeSet = manifest["WasPasscodeSet"]?.boolean
      info.claimsEncryption = manifest["IsEncrypted"]?.boolean
      applications = (manifest["Applications"]?.entries ?? []).map { entry in
        Backup.Application(
          identifier: entry.key, version: entry.node["CFBundleVersion"]?.string)
      }
    }
    // A backup can be read without Info.plist.
    do {
      guard let list = try Self.root(of: "Info.plist", in: storage, &skipped) else { return }
      info.deviceName = info.deviceName ?? list["Device Name"]?.string
      info.deviceModel = info.deviceModel ?? list["Product Type"]?.string
      info.systemVersion = info.systemVersion ?? list["Product Version"]?.string
      info.date = info.date ?? list["Last Backup Date"]?.date
      if applications.isEmpty {
        applications = (list["Installed Applications"]?.strings ?? []).map {
          Backup.Application(identifier: $0, version: nil)
        }
      }
    } catch {
      skipped.append(Skip(path: "Info.plist", reason: error.message))
    }
  }

  private static func root(
    of path: String, in storage: any BackupStorage, _ skipped: inout [Skip]
  ) throws(AtRestError) -> PropertyList.Node? {
    do {
      guard let source = try storage.open(path) else { return nil }
      let (root, unread) = try PropertyList.dictionary(in: source, path: path)
      skipped += unread
      return root
    } catch {
      throw .damagedBackup("\(path) of the backup cannot be read.", cause: error)
    }
  }
}

extension PropertyList {
  /// Reads the dictionary in a file of a backup, binary or XML.
  static func dictionary(
    in source: ByteSource, path: String
  ) throws(FormatError) -> (root: Node, skipped: [Skip]) {
    guard source.count <= 64 << 20 else { throw FormatError("The file is larger than 64 MiB.") }
    let list = PropertyList.read(Data(try source.read(0..<source.count)), path: path)
    guard list.format == .binary || list.format == .xml, let root = list.root, root.entries != nil
    else { throw FormatError(list.skipped.first?.reason ?? "The file is not a property list.") }
    return (root, list.skipped)
  }
}

extension PropertyList.Node {
  var data: Data? { if case .data(let data) = value { data } else { nil } }
  var date: Date? { if case .date(let date) = value { date } else { nil } }
  var integer: Int64? { if case .integer(let number) = value { number } else { nil } }
}
