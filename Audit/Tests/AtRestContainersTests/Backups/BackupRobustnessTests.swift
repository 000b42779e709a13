import AtRestContainers
import AtRestCrypto
import Foundation
import Testing

/// Changed bytes anywhere in a backup cause an error or a skip, and never the contents of another
/// file.
@Suite struct BackupRobustnessTests {
  private static func damaged(
    _ data: Data, _ random: inout SplitMix
  ) -> Data {
    var data = data
    for _ in 0..<Int.random(in: 1...4, using: &random) where !data.isEmpty {
      let place = Int.random(in: 0..<data.count, using: &random)
      switch Int.random(in: 0..<8, using: &random) {
      case 0: data = Data(data.prefix(place))
      case 1: data.removeSubrange(place..<min(data.count, place + 5))
      case 2: data.insert(contentsOf: [0xFF, 0xFF], at: place)
      default: data[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      }
    }
    return data
  }

  private static var small: [BackupMaker.File] {
    BackupMaker.files.map { file in
      var file = file
      file.data = Data(file.data.prefix(64))
      return file
    }
  }

  /// Opens every file of a backup, and returns the contents that could be read.
  private func contents(_ files: [String: Data], password: String) -> [String: Data] {
    guard var backup = try? Backup(MemoryBackupStorage(files: files)) else { return [:] }
    if backup.isLocked { try? backup.unlock(password: SecretBytes(utf8: password)) }
    var result: [String: Data] = [:]
    for entry in backup.files where entry.kind == .file {
      guard let source = try? backup.open(entry) else { continue }
      let bytes = try? source.read(0..<source.count)
      result["\(entry.domain)/\(entry.path)"] = bytes.map { Data($0) }
    }
    return result
  }

  @Test(arguments: ["Manifest.plist", "Manifest.db", "Manifest.mbdb"], [true, false])
  func changedLists(name: String, isEncrypted: Bool) throws {
    var maker = BackupMaker(files: Self.small, isEncrypted: isEncrypted)
    maker.list = name == "Manifest.mbdb" ? .old : .database
    // A changed bit in the number of rounds could make it very large.
    maker.keybag.outerRounds = name == "Manifest.plist" ? nil : 100
    let files = try maker.contents()
    let original = try #require(files[name])
    var random = SplitMix(state: 5)
    for _ in 0..<700 {
      var changed = files
      changed[name] = Self.damaged(original, &random)
      _ = contents(changed, password: maker.keybag.password)
    }
  }

  /// One bit of the encrypted list is changed at a time. A file that opens under its right name has
  /// its right contents.
  @Test func changedBitsOfAnEncryptedList() throws {
    let maker = BackupMaker(files: Self.small)
    let files = try maker.contents()
    let original = try #require(files["Manifest.db"])
    let expected = contents(files, password: maker.keybag.password)
    #expect(expected.count == 4)
    var random = SplitMix(state: 9)
    for _ in 0..<500 {
      var changed = files
      let place = Int.random(in: 0..<original.count, using: &random)
      changed["Manifest.db"]?[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
      for (name, data) in contents(changed, password: maker.keybag.password) {
        guard let right = expected[name] else { continue }
        #expect(data == right, "\(name), byte \(place)")
      }
    }
  }

  @Test func changedFiles() throws {
    let maker = BackupMaker(files: Self.small)
    let files = try maker.contents()
    var random = SplitMix(state: 11)
    for (name, data) in files.sorted(by: { $0.key < $1.key }) where !name.hasPrefix("Manifest") {
      for _ in 0..<200 {
        var changed = files
        changed[name] = Self.damaged(data, &random)
        _ = contents(changed, password: maker.keybag.password)
      }
    }
  }
}
