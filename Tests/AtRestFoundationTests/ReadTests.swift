import AtRestCrypto
import AtRestFoundation
import AtRestSimulation
import Testing

@Suite struct ReadTests {
  private let text = "Grüße"

  private func withProtectedText<Result>(
    _ encoding: String.Encoding = .utf8, _ body: (Place) throws -> Result
  ) throws -> Result {
    let place = try Place()
    return try place.run {
      let data = try #require(text.data(using: encoding))
      try data.write(to: place.url, options: .completeFileProtection)
      return try body(place)
    }
  }

  @Test func everyWayOfReadingGivesThePlaintext() throws {
    try withProtectedText { place in
      let (url, path) = (place.url, place.url.path)
      var encoding = String.Encoding.ascii
      try #expect(Data(contentsOf: url, options: .mappedIfSafe) == Data(text.utf8))
      #expect(FileManager.default.contents(atPath: path) == Data(text.utf8))
      try #expect(String(contentsOf: url, encoding: .utf8) == text)
      try #expect(String(contentsOfFile: path, encoding: .utf8) == text)
      try #expect(String(contentsOf: url, usedEncoding: &encoding) == text)
      #expect(encoding == .utf8)
      try #expect(String(contentsOfFile: path, usedEncoding: &encoding) == text)
      try #expect(String(contentsOf: url) == text)
      try #expect(String(contentsOfFile: path) == text)
    }
  }

  @Test func aByteOrderMarkTellsTheEncoding() throws {
    try withProtectedText(.utf16) { place in
      var encoding = String.Encoding.utf8
      try #expect(String(contentsOf: place.url, usedEncoding: &encoding) == text)
      #expect(encoding == .utf16)
    }
  }

  @Test func bytesThatAreNoSuchTextAreRefusedAsFoundationDoes() throws {
    try withProtectedText { place in
      let error = #expect(throws: CocoaError.self) {
        _ = try String(contentsOf: place.url, encoding: .ascii)
      }
      #expect(error?.code == .fileReadInapplicableStringEncoding)
    }
  }

  @Test func otherFilesAreReadAsFoundationReadsThem() throws {
    let place = try Place()
    // A plain file needs no keys, so a locked device makes no difference.
    place.device.lock()
    try place.run {
      try text.write(to: place.url, atomically: true, encoding: .utf8)
      try #expect(Data(contentsOf: place.url) == Plain.read(place.url))
      try #expect(String(contentsOf: place.url, encoding: .utf8) == text)
      try #expect(String(contentsOf: place.url) == text)
      let missing = place.folder.appendingPathComponent("missing")
      #expect(throws: CocoaError.self) { _ = try Data(contentsOf: missing) }
      #expect(FileManager.default.contents(atPath: missing.path) == nil)
    }
  }

  @Test func aLockedDeviceRefuses() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtection)
      place.device.lock()
      #expect(refusal { try Data(contentsOf: place.url) } == .locked)
      #expect(refusal { try String(contentsOf: place.url, encoding: .utf8) } == .locked)
      #expect(FileManager.default.contents(atPath: place.url.path) == nil)
      try place.device.unlock()
      try #expect(Data(contentsOf: place.url) == Place.secret)
    }
  }

  @Test func afterARestartAFileOpensOnceTheDeviceIsUnlocked() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(
        to: place.url, options: .completeFileProtectionUntilFirstUserAuthentication)
      try place.device.restart()
      #expect(refusal { try Data(contentsOf: place.url) } == .locked)
      try place.device.unlock()
      place.device.lock()
      try #expect(Data(contentsOf: place.url) == Place.secret)
    }
  }

  @Test func anotherDeviceCannotReadEvenWhatIsAlwaysReadable() throws {
    let place = try Place()
    try place.run { try Place.secret.write(to: place.url, options: .noFileProtection) }
    let other = try SimulatedDevice(passcode: "1234")
    #expect(
      refusal { try place.run(on: other) { try Data(contentsOf: place.url) } } == .notPermitted)
  }

  @Test func aDamagedFileGivesNoByte() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtection)
      var stored = try Plain.read(place.url)
      stored[stored.count - 1] ^= 1
      try Plain.write(stored, to: place.url)
      #expect(refusal { try Data(contentsOf: place.url) } == .damaged)
    }
  }
}
