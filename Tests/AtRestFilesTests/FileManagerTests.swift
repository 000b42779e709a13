import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

/// The calls of `Data` and `FileManager`, with effective protection.
@Suite struct FileManagerTests {
  static let options: [(Data.WritingOptions, FileProtection)] = [
    ([], .completeUntilFirstAuthentication), (.noFileProtection, .none),
    (.completeFileProtection, .complete),
    (.completeFileProtectionUnlessOpen, .completeUnlessOpen),
    (.completeFileProtectionUntilFirstUserAuthentication, .completeUntilFirstAuthentication),
    ([.atomic, .completeFileProtection], .complete),
  ]

  private static func type(_ attributes: [FileAttributeKey: Any]) -> String? {
    (attributes[.protectionKey] as? FileProtectionType)?.rawValue
  }

  @Test(arguments: options.indices) func optionsChooseTheClass(_ index: Int) throws {
    let folder = try TestFolder()
    let (options, protection) = Self.options[index]
    try folder.files.write(Data("x".utf8), to: folder.path("a"), options: options)
    #expect(try FileDescription(of: folder.path("a")).protection == protection)
    let attributes = try folder.files.attributesOfItem(atPath: folder.path("a").path)
    #expect(Self.type(attributes) == protection.fileProtectionType.rawValue)
    #expect((attributes[.size] as? NSNumber)?.intValue == 1)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
  }

  @Test func twoClassesAreRefused() throws {
    let folder = try TestFolder()
    #expect(
      refusal {
        try folder.files.write(
          Data(), to: folder.path("a"), options: .completeFileProtection,
          protection: FileProtection.none)
      } == .invalidArgument)
    #expect(
      refusal {
        try folder.files.write(
          Data(), to: folder.path("a"), options: .init(rawValue: 0xF000_0000))
      } == .invalidArgument)
    #expect(folder.names == [])
  }

  @Test func whatExistsIsNotOverwrittenWhereThatIsForbidden() throws {
    let folder = try TestFolder()
    try folder.files.write(Data("old".utf8), to: folder.path("a"))
    #expect(
      refusal {
        try folder.files.write(
          Data("new".utf8), to: folder.path("a"), options: .withoutOverwriting)
      } == .duplicate)
    #expect(refusal { try folder.files.create(folder.path("a")) } == .duplicate)
    #expect(
      refusal { try folder.files.protect(.data(Data()), to: .file(folder.path("a"))) }
        == .duplicate)
    #expect(try folder.files.read(folder.path("a")) == Data("old".utf8))
    #expect(folder.names == ["a"])
  }

  @Test func attributesAreHonouredOrRefused() throws {
    let folder = try TestFolder()
    let path = folder.path("a").path
    try folder.files.createFile(
      atPath: path, contents: Data("x".utf8),
      attributes: [.protectionKey: FileProtectionType.complete, .posixPermissions: 0o640])
    var attributes = try folder.files.attributesOfItem(atPath: path)
    #expect(Self.type(attributes) == FileProtectionType.complete.rawValue)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    try folder.files.setAttributes(
      [.protectionKey: FileProtectionType.none.rawValue, .posixPermissions: 0o600],
      ofItemAtPath: path)
    attributes = try folder.files.attributesOfItem(atPath: path)
    #expect(Self.type(attributes) == FileProtectionType.none.rawValue)
    #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    let refused: [[FileAttributeKey: Any]] = [
      [.modificationDate: Date()], [.protectionKey: "NSFileProtectionNew"], [.protectionKey: 1],
      [.posixPermissions: 0o1777], [.posixPermissions: -1], [.posixPermissions: 0x1_0000 + 0o600],
      [.posixPermissions: "0600"],
    ]
    for attributes in refused {
      #expect(
        refusal { try folder.files.createFile(atPath: path, attributes: attributes) }
          == .invalidArgument, "\(attributes)")
      #expect(
        refusal { try folder.files.setAttributes(attributes, ofItemAtPath: path) }
          == .invalidArgument, "\(attributes)")
    }
    #expect(try folder.files.read(folder.path("a")) == Data("x".utf8))
  }

  @Test func linksAreFollowed() throws {
    let folder = try TestFolder()
    try folder.files.write(Data("old".utf8), to: folder.path("a"))
    #expect(symlink("a", folder.path("link").path) == 0)
    #expect(try folder.files.read(folder.path("link")) == Data("old".utf8))
    try folder.files.write(Data("new".utf8), to: folder.path("link"))
    #expect(try folder.files.read(folder.path("a")) == Data("new".utf8))
    let handle = try folder.files.open(folder.path("link"), for: .updating)
    #expect(refusal { try folder.files.open(folder.path("a"), for: .updating) } == .busy)
    try handle.append(Data("er".utf8))
    try handle.close()
    #expect(try folder.files.read(folder.path("a")) == Data("newer".utf8))
    var status = stat()
    #expect(lstat(folder.path("link").path, &status) == 0)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(symlink("nowhere", folder.path("dangling").path) == 0)
    #expect(refusal { try folder.files.read(folder.path("dangling")) } == .notFound)
    #expect(folder.names == ["a", "dangling", "link"])
  }

  @Test func placesThatTakeNoFileAreRefused() throws {
    let folder = try TestFolder()
    let inside = folder.path("none").appendingPathComponent("a")
    for place in [folder.url, URL(fileURLWithPath: "/dev/null")] {
      #expect(refusal { try folder.files.write(Data(), to: place) } == .invalidArgument)
      #expect(refusal { try folder.files.read(place) } == .invalidArgument)
      #expect(refusal { try folder.files.open(place, for: .updating) } == .invalidArgument)
      #expect(refusal { try FileDescription(of: place) } == .invalidArgument)
    }
    #expect(refusal { try folder.files.write(Data(), to: inside) } == .notFound)
    for path in [folder.path("missing"), inside] {
      #expect(refusal { try folder.files.read(path) } == .notFound)
      #expect(refusal { try folder.files.open(path, for: .updating) } == .notFound)
      #expect(refusal { try folder.files.setProtection(.none, of: path) } == .notFound)
      #expect(
        refusal { try folder.files.protect(.file(path), to: .file(folder.path("b"))) }
          == .notFound)
    }
    #expect(folder.names == [])
  }

  @Test(.enabled(if: getuid() != 0, "the superuser may write anywhere"))
  func aFolderThatMayNotBeWrittenToIsSaid() throws {
    let folder = try TestFolder()
    #expect(chmod(folder.url.path, 0o500) == 0)
    defer { chmod(folder.url.path, 0o700) }
    #expect(refusal { try folder.files.write(Data(), to: folder.path("a")) } == .system)
  }

  @Test func plaintextWithHolesComesBack() throws {
    let folder = try TestFolder()
    let file = folder.path("sparse")
    try Data("begin".utf8).write(to: file)
    let handle = try FileHandle(forUpdating: file)
    try handle.seek(toOffset: 3_000_000)
    try handle.write(contentsOf: Data("end".utf8))
    try handle.close()
    try folder.files.protect(.file(file), to: .file(folder.path("a")))
    #expect(try folder.files.read(folder.path("a")) == folder.stored("sparse"))
  }

  /// The destination is a pipe that is full at first, so the source changes while it is read.
  @Test(arguments: [1_000_000, 9_000_000]) func aSourceThatChangesIsRefused(_ size: Int) throws {
    let folder = try TestFolder()
    let file = folder.path("plain")
    try Data(count: 8_000_000).write(to: file)
    let out = Pipe()
    let input = out.fileHandleForReading
    let path = file.path
    Thread {
      // A part was read and sealed. Now the source changes.
      _ = input.availableData
      truncate(path, off_t(size))
      _ = input.readDataToEndOfFile()
    }.start()
    #expect(
      refusal {
        try ProtectedFiles(folder.keybag).protect(
          .file(file), to: .descriptor(out.fileHandleForWriting.fileDescriptor))
      } == .system)
    try out.fileHandleForWriting.close()
  }
}
