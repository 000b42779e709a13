import AtRestCrypto
import AtRestFoundation
import AtRestSimulation
import Testing

@Suite struct FileManagerTests {
  private let manager = FileManager.default

  @Test(
    arguments: [
      FileProtectionType.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication,
      .none,
    ].map(\.rawValue))
  func aFileIsMadeInItsClass(type: String) throws {
    let place = try Place()
    let type = FileProtectionType(rawValue: type)
    try place.run {
      #expect(
        manager.createFile(
          atPath: place.url.path, contents: Place.secret, attributes: [.protectionKey: type]))
      try #expect(!place.showsSecret())
      #expect(manager.contents(atPath: place.url.path) == Place.secret)
      let attributes = try manager.attributesOfItem(atPath: place.url.path)
      #expect(attributes[.protectionKey] as? FileProtectionType != nil)
      #expect(attributes[.protectionKey] as? FileProtectionType == type)
      #expect(attributes[.size] as? Int == Place.secret.count)
    }
  }

  /// Control: the same calls in a file that imports Foundation.
  @Test func foundationAloneWritesPlaintext() throws {
    let place = try Place()
    let attributes: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.complete]
    try place.run {
      #expect(Plain.create(place.url.path, Place.secret, attributes))
      try Plain.set(attributes, place.url.path)
    }
    try #expect(place.showsSecret())
    try #expect(manager.attributesOfItem(atPath: place.url.path)[.protectionKey] == nil)
  }

  @Test func otherAttributesAreSetToo() throws {
    let place = try Place()
    let date = Date(timeIntervalSince1970: 1_000_000)
    try place.run {
      #expect(
        manager.createFile(
          atPath: place.url.path, contents: nil,
          attributes: [
            .protectionKey: FileProtectionType.complete, .posixPermissions: 0o640,
            .modificationDate: date,
          ]))
      let attributes = try manager.attributesOfItem(atPath: place.url.path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
      #expect(attributes[.modificationDate] as? Date == date)
      #expect(attributes[.size] as? Int == 0)
    }
  }

  @Test func withoutAClassTheBytesAreFoundations() throws {
    let place = try Place()
    try place.run {
      #expect(manager.createFile(atPath: place.url.path, contents: Place.secret))
      try #expect(Plain.read(place.url) == Place.secret)
      try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: place.url.path)
      try #expect(manager.attributesOfItem(atPath: place.url.path)[.protectionKey] == nil)
    }
  }

  @Test func aLockedDeviceOrAnUnknownClassMakesNothing() throws {
    let place = try Place()
    try place.run {
      #expect(
        !manager.createFile(
          atPath: place.url.path, contents: Place.secret, attributes: [.protectionKey: "unknown"]))
      place.device.lock()
      #expect(
        !manager.createFile(
          atPath: place.url.path, contents: Place.secret,
          attributes: [.protectionKey: FileProtectionType.complete]))
    }
    #expect(!manager.fileExists(atPath: place.url.path))
  }

  @Test func aPlainFileIsProtectedWhereItIs() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(to: place.url)
      try manager.setAttributes([.posixPermissions: 0o640], ofItemAtPath: place.url.path)
      try #expect(place.showsSecret())
      try manager.setAttributes(
        [.protectionKey: FileProtectionType.complete], ofItemAtPath: place.url.path)
      try #expect(!place.showsSecret())
      try #expect(Data(contentsOf: place.url) == Place.secret)
      let attributes = try manager.attributesOfItem(atPath: place.url.path)
      #expect(attributes[.posixPermissions] as? Int == 0o640)
    }
  }

  @Test func aProtectedFileMovesToAnotherClass() throws {
    let place = try Place()
    let path = place.url.path
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtection)
      try manager.setAttributes([.protectionKey: FileProtectionType.none], ofItemAtPath: path)
      let attributes = try manager.attributesOfItem(atPath: path)
      #expect(attributes[.protectionKey] as? FileProtectionType == FileProtectionType.none)
      place.device.lock()
      #expect(manager.contents(atPath: path) == Place.secret)
    }
  }

  @Test func aFileWithAnotherNameIsNotProtectedUnderOneAlone() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(to: place.url)
      try manager.linkItem(at: place.url, to: place.folder.appendingPathComponent("other"))
      #expect(
        refusal {
          try manager.setAttributes(
            [.protectionKey: FileProtectionType.complete], ofItemAtPath: place.url.path)
        } == .invalidArgument)
    }
  }

  @Test func aFolderCannotHaveAClass() throws {
    let place = try Place()
    let folder = place.folder.appendingPathComponent("folder")
    let attributes: [FileAttributeKey: Any] = [.protectionKey: FileProtectionType.complete]
    #expect(
      refusal {
        try manager.createDirectory(
          at: folder, withIntermediateDirectories: true, attributes: attributes)
      } == .invalidArgument)
    #expect(
      refusal {
        try manager.createDirectory(
          atPath: folder.path, withIntermediateDirectories: true, attributes: attributes)
      } == .invalidArgument)
    #expect(!manager.fileExists(atPath: folder.path))
    try manager.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    #expect(
      refusal { try place.run { try manager.setAttributes(attributes, ofItemAtPath: folder.path) } }
        == .invalidArgument)
  }

  @Test func aLinksAttributesAreItsOwn() throws {
    let place = try Place()
    let link = place.folder.appendingPathComponent("link")
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtection)
      try manager.createSymbolicLink(at: link, withDestinationURL: place.url)
      let attributes = try manager.attributesOfItem(atPath: link.path)
      #expect(attributes[.type] as? FileAttributeType == .typeSymbolicLink)
      #expect(attributes[.protectionKey] == nil)
      try #expect(Data(contentsOf: link) == Place.secret)
    }
  }
}
