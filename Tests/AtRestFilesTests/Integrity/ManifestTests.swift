import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct ManifestTests {
  private func tree() throws -> StampingFolder {
    let folder = try StampingFolder()
    try folder.write("a/one", "1")
    try folder.write("a/two", "22")
    try folder.write("a-b", "333")
    try folder.write("bin/tool", "#!/bin/sh")
    try folder.setMode(0o755, of: "bin/tool")
    try folder.link("link", to: "a/one")
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("empty"), withIntermediateDirectories: false)
    return folder
  }

  @Test(arguments: StampingMethod.quick) func anUntouchedTreeIsUnchanged(
    _ method: StampingMethod
  ) throws {
    let folder = try tree()
    let (stamper, verifier, other) = try method.keys()
    let made = try stamper.manifest(of: folder.url)
    let manifest = try FolderManifest(decoding: made.encoded)
    #expect(manifest.entries == made.entries)
    #expect(
      manifest.entries.map(\.path.description)
        == ["a", "a-b", "a/one", "a/two", "bin", "bin/tool", "empty", "link"])
    #expect(manifest.entries[5].permissions == 0o755)
    #expect(manifest.entries[7].kind == .link)
    let difference = try verifier.compare(folder.url, with: manifest)
    #expect(difference.isUnchanged)
    #expect(
      stampError { try other.compare(folder.url, with: manifest) }?.code == .authenticationFailed)
  }

  @Test func everyDifferenceIsReported() throws {
    let folder = try tree()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let manifest = try stamper.manifest(of: folder.url)
    try folder.write("a/one", "X")
    try folder.write("a/two", "22 and more")
    try folder.setMode(0o644, of: "bin/tool")
    try folder.remove("a-b")
    try folder.write("new/file", "new")
    try folder.remove("link")
    try folder.link("link", to: "/etc/passwd")
    try folder.remove("empty")
    try folder.write("empty", "no folder")
    let difference = try verifier.compare(folder.url, with: manifest)
    #expect(difference.added.map(\.description) == ["new", "new/file"])
    #expect(difference.removed.map(\.description) == ["a-b"])
    #expect(
      difference.changed.map(\.path.description)
        == ["a/one", "a/two", "bin/tool", "empty", "link"])
    #expect(
      difference.changed.map(\.aspects)
        == [[.contents], [.contents, .size], [.permissions], [.kind], [.target]])
    #expect(difference.count == 8)
  }

  @Test func setUserIDCounts() throws {
    let folder = try tree()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let manifest = try stamper.manifest(of: folder.url)
    try folder.setMode(0o4755, of: "bin/tool")
    let difference = try verifier.compare(folder.url, with: manifest)
    #expect(difference.changed.map(\.aspects) == [[.permissions]])
  }

  @Test func anEmptyFolderIsStamped() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let manifest = try FolderManifest(decoding: stamper.manifest(of: folder.url).encoded)
    #expect(manifest.entries.isEmpty)
    #expect(try verifier.compare(folder.url, with: manifest).isUnchanged)
    try folder.write("file", "")
    #expect(try verifier.compare(folder.url, with: manifest).added.count == 1)
  }

  @Test func linksAreNotFollowed() throws {
    let folder = try StampingFolder()
    let outside = try StampingFolder()
    try outside.write("file", "outside")
    try folder.link("folder", to: outside.url.path)
    try folder.link("nowhere", to: "missing")
    try folder.link("self", to: "self")
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let manifest = try stamper.manifest(of: folder.url)
    #expect(manifest.entries.count == 3)
    try outside.write("file", "changed")
    #expect(try verifier.compare(folder.url, with: manifest).isUnchanged)
  }

  @Test func pipesAndSocketsAreListedAndNotRead() throws {
    let folder = try tree()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let before = try stamper.manifest(of: folder.url)
    #expect(mkfifo(folder.url.appendingPathComponent("pipe").path, 0o600) == 0)
    let manifest = try FolderManifest(decoding: stamper.manifest(of: folder.url).encoded)
    #expect(manifest.entries.contains { $0.kind == .pipe })
    #expect(try verifier.compare(folder.url, with: manifest).isUnchanged)
    #expect(try verifier.compare(folder.url, with: before).added.map(\.description) == ["pipe"])
    try folder.remove("pipe")
    try folder.write("pipe", "")
    #expect(
      try verifier.compare(folder.url, with: manifest).changed.map(\.aspects) == [[.kind]])
  }

  @Test func namesAreBytes() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    // The same letter for people, but two files if the file system keeps bytes.
    try folder.write("caf\u{e9}", "1")
    try folder.write("cafe\u{301}", "2")
    let isOneFile = try folder.names.count == 1
    let manifest = try FolderManifest(decoding: stamper.manifest(of: folder.url).encoded)
    #expect(manifest.entries.count == (isOneFile ? 1 : 2))
    #expect(try verifier.compare(folder.url, with: manifest).isUnchanged)
  }

  #if os(Linux)
    @Test func namesNeedNotBeText() throws {
      let folder = try StampingFolder()
      let (stamper, verifier, _) = try StampingMethod.hmac.keys()
      func touch(_ last: UInt8) {
        let path = folder.url.path.utf8.map(CChar.init(bitPattern:))
        let name = [CChar](arrayLiteral: 0x2f, CChar(bitPattern: last), 0)
        let file = open(path + name, O_CREAT | O_WRONLY, 0o600)
        #expect(file >= 0)
        close(file)
      }
      touch(0xff)
      let manifest = try FolderManifest(decoding: stamper.manifest(of: folder.url).encoded)
      #expect(manifest.entries.map(\.path.bytes) == [[0xff]])
      #expect(try verifier.compare(folder.url, with: manifest).isUnchanged)
      // It looks the same, but is another name.
      touch(0xfe)
      #expect(try verifier.compare(folder.url, with: manifest).added.map(\.bytes) == [[0xfe]])
    }
  #endif

  @Test func theManifestItselfIsLeftOut() throws {
    let folder = try tree()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = folder.url.appendingPathComponent("a/manifest")
    let manifest = try stamper.manifest(of: folder.url, leavingOut: [file])
    try manifest.encoded.write(to: file)
    #expect(
      try verifier.compare(folder.url, with: manifest, leavingOut: [file]).isUnchanged)
    #expect(try verifier.compare(folder.url, with: manifest).added.count == 1)
  }

  @Test func aFolderIsNotLeftOut() throws {
    let folder = try tree()
    let (stamper, _, _) = try StampingMethod.hmac.keys()
    let inside = folder.url.appendingPathComponent("a")
    let manifest = try stamper.manifest(of: folder.url, leavingOut: [inside])
    #expect(manifest.entries.contains { $0.path.description == "a/one" })
  }

  @Test func whatIsNoFolderHasNoManifest() throws {
    let folder = try tree()
    let (stamper, _, _) = try StampingMethod.hmac.keys()
    let file = folder.url.appendingPathComponent("a-b")
    #expect(stampError { try stamper.manifest(of: file) }?.code == .invalidArgument)
    let missing = folder.url.appendingPathComponent("missing")
    #expect(stampError { try stamper.manifest(of: missing) }?.code == .notFound)
  }

  @Test func manyFilesAreHashed() throws {
    let folder = try StampingFolder()
    for number in 0..<200 { try folder.write("\(number % 10)/\(number)", "file \(number)") }
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let progress = Progress(totalUnitCount: 0)
    let manifest = try stamper.manifest(of: folder.url, progress: progress)
    #expect(manifest.entries.count == 210)
    #expect(progress.completedUnitCount == progress.totalUnitCount)
    #expect(progress.totalUnitCount > 1000)
    try folder.write("7/197", "file 796")
    #expect(
      try verifier.compare(folder.url, with: manifest).changed.map(\.path.description)
        == ["7/197"])
  }
}
