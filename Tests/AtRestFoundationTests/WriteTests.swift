import AtRestCrypto
import AtRestFoundation
import AtRestSimulation
import Testing

@Suite struct WriteTests {
  private static let classes: [Data.WritingOptions] = [
    .completeFileProtection, .completeFileProtectionUnlessOpen,
    .completeFileProtectionUntilFirstUserAuthentication, .noFileProtection,
  ]

  @Test(arguments: classes.map(\.rawValue))
  func anOptionProtects(option: UInt) throws {
    let place = try Place()
    let option = Data.WritingOptions(rawValue: option)
    for options in [option, [.atomic, option]] as [Data.WritingOptions] {
      try place.run { try Place.secret.write(to: place.url, options: options) }
      try #expect(!place.showsSecret())
      try #expect(place.run { try Data(contentsOf: place.url) } == Place.secret)
    }
  }

  @Test func theLineOfAnApplicationProtects() throws {
    let place = try Place()
    let (data, url) = (Place.secret, place.url)
    try place.run { try data.write(to: url, options: .completeFileProtection) }
    try #expect(!place.showsSecret())
  }

  /// Control: the same call in a file that imports Foundation.
  @Test(arguments: classes.map(\.rawValue))
  func foundationAloneWritesPlaintext(option: UInt) throws {
    let place = try Place()
    try place.run {
      try Plain.write(Place.secret, to: place.url, options: Data.WritingOptions(rawValue: option))
    }
    try #expect(place.showsSecret())
  }

  @Test func withoutAnOptionTheBytesAreFoundations() throws {
    let place = try Place()
    try place.run { try Place.secret.write(to: place.url, options: .atomic) }
    try #expect(Plain.read(place.url) == Place.secret)
    #expect(throws: CocoaError.self) {
      try place.run { try Place.secret.write(to: place.url, options: .withoutOverwriting) }
    }
  }

  @Test func aLockedDeviceRefuses() throws {
    let place = try Place()
    try place.run { try Data("before".utf8).write(to: place.url) }
    place.device.lock()
    #expect(
      refusal {
        try place.run { try Place.secret.write(to: place.url, options: .completeFileProtection) }
      } == .locked)
    try #expect(Plain.read(place.url) == Data("before".utf8))
    // Control: a class that accepts new files while locked.
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtectionUnlessOpen)
    }
    try #expect(!place.showsSecret())
  }

  @Test func whatIsThereIsOverwrittenOnlyWhereThatIsAllowed() throws {
    let place = try Place()
    let options: Data.WritingOptions = [.withoutOverwriting, .completeFileProtection]
    try place.run { try Place.secret.write(to: place.url, options: options) }
    #expect(
      refusal { try place.run { try Data().write(to: place.url, options: options) } } == .duplicate)
    try #expect(place.run { try Data(contentsOf: place.url) } == Place.secret)
  }

  @Test func aFileStaysInItsClassWhenItIsOverwritten() throws {
    let place = try Place()
    try place.run {
      try Data("first".utf8).write(to: place.url, options: .completeFileProtection)
      try Place.secret.write(to: place.url)
      try #expect(!place.showsSecret())
      try "\(String(decoding: Place.secret, as: UTF8.self))".write(
        to: place.url, atomically: true, encoding: .utf8)
    }
    try #expect(!place.showsSecret())
    let attributes = try FileManager.default.attributesOfItem(atPath: place.url.path)
    #expect(attributes[.protectionKey] as? FileProtectionType == .complete)
    place.device.lock()
    #expect(refusal { try place.run { try Data().write(to: place.url) } } == .locked)
  }

  @Test func aFileOfAnotherStoreIsNotOverwrittenInPassing() throws {
    let place = try Place()
    try place.run { try Place.secret.write(to: place.url, options: .noFileProtection) }
    let other = try SimulatedDevice(passcode: "1234")
    #expect(
      refusal { try place.run(on: other) { try Data().write(to: place.url) } } == .notPermitted)
    try #expect(place.run { try Data(contentsOf: place.url) } == Place.secret)
  }

  @Test func foundationsOtherDataIsProtectedToo() throws {
    let place = try Place()
    try place.run {
      try NSData(data: Place.secret).write(
        toFile: place.url.path, options: .completeFileProtection)
    }
    try #expect(!place.showsSecret())
    try #expect(place.run { try Data(contentsOf: place.url) } == Place.secret)
  }

  @Test func aURLOfNoFileIsRefused() throws {
    let place = try Place()
    let url = try #require(URL(string: "https://example.com/file"))
    #expect(
      refusal { try place.run { try Data().write(to: url, options: .completeFileProtection) } }
        == .invalidArgument)
  }
}
