import AtRestContainers
import CExtendedAttributes
import Foundation
import Testing

/// A copy with extended attributes says which files an app left out of backups.
@Suite struct BackupExclusionTests {
  private static let attribute = "com.apple.metadata:com_apple_backup_excludeItem"
  private static let value = Array("bplist00_\u{11}com.apple.backupd".utf8)

  private func excluded(_ source: ContainerSource) throws -> [String] {
    try ContainerScan(source).run().summary.files.filter(\.isExcludedFromBackups)
      .map(\.locator.description).sorted()
  }

  /// An archive with a file in an excluded folder, an excluded file, and one that is in backups.
  private func archive(_ key: String) -> [UInt8] {
    func mark(_ key: String) -> [UInt8] {
      let record = " \(key)=".utf8 + Self.value + [10]
      let length = record.count + 2
      return Array("\(length)".utf8) + record
    }
    let last = Packing.tar("keep.json", [], rest: Packing.tar("cached/keep.json", []))
    let file = Packing.tar(
      "x", mark(key), kind: "x", rest: Packing.tar("left.json", [], rest: last))
    let folder = Packing.tar(
      "cache/", [], kind: "5", rest: Packing.tar("cache/a/left.json", [], rest: file))
    return Packing.tar("x", mark(key), kind: "x", rest: folder)
  }

  @Test(arguments: [
    "SCHILY.xattr.\(attribute)", "LIBARCHIVE.xattr.\(attribute)", "SCHILY.xattr.user.\(attribute)",
    "SCHILY.xattr.com.apple.MobileBackup",
  ])
  func anArchiveSaysSo(_ key: String) throws {
    let source = ContainerSource(files: ["app.tar": archive(key)])
    #expect(try excluded(source) == ["app.tar › cache/a/left.json", "app.tar › left.json"])
  }

  /// Control: other attributes, even those with the name of a header's own key, say nothing.
  @Test(arguments: ["SCHILY.xattr.com.apple.quarantine", "SCHILY.xattr.path", "comment"])
  func otherAttributesSayNothing(_ key: String) throws {
    let source = ContainerSource(files: ["app.tar": archive(key)])
    #expect(try excluded(source) == [])
    let files = try ContainerScan(source).run().summary.files.map(\.locator.description)
    #expect(files.contains("app.tar › left.json"), "\(files)")
  }

  @Test func aFolderSaysSo() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(
      at: folder.appending(path: "cache/a"), withIntermediateDirectories: true)
    for name in ["cache/a/left.json", "left.json", "keep.json"] {
      try Data("{}".utf8).write(to: folder.appending(path: name))
    }
    for name in ["cache", "left.json"] {
      #if canImport(Darwin)
        let result = setxattr(
          folder.appending(path: name).path, Self.attribute, Self.value, Self.value.count, 0, 0)
      #else
        let result = setxattr(
          folder.appending(path: name).path, "user." + Self.attribute, Self.value, Self.value.count,
          0)
      #endif
      // Not every file system keeps them.
      if result != 0, errno == ENOTSUP { return }
      try #require(result == 0)
    }
    #expect(try excluded(ContainerSource(folder.path)) == ["cache/a/left.json", "left.json"])
  }
}
