import AtRestContainers
import AtRestCrypto
import AtRestFormats
import Foundation

extension ContainerFuzzTarget {
  /// Reads one input as a part of a device backup, or as a keychain.
  func runBackup(_ input: Data) throws {
    switch self {
    case .keybag: try runKeybag(input)
    case .backupManifest: try runManifest(input)
    default:
      let dump = try? KeychainDump.read(ByteSource([UInt8](input)), path: "a.json")
      for item in dump?.items ?? [] { _ = item.locator.description }
    }
  }

  /// Reads a keybag. The key is not derived if the input demands many rounds, which are allowed but
  /// slow.
  private func runKeybag(_ input: Data) throws {
    _ = try? AppleKeychainBlob(input, name: "an item")
    guard let keybag = try? AppleBackupKeybag(input), input.count < 4096 else { return }
    let areFew = ["ITER", "DPIC"].allSatisfy { tag in
      guard let place = input.range(of: Data(tag.utf8), options: .backwards) else { return true }
      return input[place.upperBound...].dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) } < 200
    }
    guard areFew, let keys = try? keybag.unlock(password: SecretBytes(utf8: "fuzz")) else { return }
    for number in keys.classes {
      _ = try? keys.unwrap(input.suffix(40), class: number, name: "a")
    }
  }

  /// Reads the input as each of the file lists that backups have had.
  private func runManifest(_ input: Data) throws {
    for name in ["Manifest.db", "Manifest.mbdb", "Manifest.plist"] {
      let backup = try? Backup(OneFile(name: name, bytes: [UInt8](input)))
      for entry in backup?.files.prefix(100) ?? [] { _ = try? backup?.open(entry).prefix(16) }
      for problem in backup?.skipped ?? [] where problem.reason.isEmpty {
        throw Fault(description: "Something was left out without a reason.")
      }
    }
  }

  /// A backup that has only a list. All of its files have the contents of the list.
  private struct OneFile: BackupStorage {
    let name: String
    let bytes: [UInt8]

    func open(_ path: String) throws(FormatError) -> ByteSource? {
      path == name || !path.hasPrefix("Manifest") && !path.hasPrefix("Info")
        ? ByteSource(bytes) : nil
    }

    func folders() -> [String] { [] }

    func files(in folder: String, limit: Int) -> (files: [BackupStorageFile], skipped: [Skip]) {
      ([], [])
    }
  }
}
