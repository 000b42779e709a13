import AtRestCrypto
import AtRestFiles
import AtRestFoundation
import Testing

/// Tests that a file keeps its class when it is written again, and that a forged class is not trusted.
@Suite struct InheritedClassTests {
  /// The offset of the class in a protected file, and the value of the class *none*.
  private static let classOffset = 67
  private static let none: UInt8 = 4

  @Test func aClassThatSomebodyWroteIntoTheHeaderIsNotInherited() throws {
    let place = try Place()
    try place.run { try Place.secret.write(to: place.url, options: .completeFileProtection) }
    let genuine = try Plain.read(place.url)
    var forged = genuine
    forged[Self.classOffset] = Self.none
    try Plain.write(forged, to: place.url)
    #expect(try FileDescription(of: place.url).protection == FileProtection.none)
    try place.run {
      #expect(refusal { try Data("next".utf8).write(to: place.url) } == .damaged)
    }
    #expect(try Plain.read(place.url) == forged)
    // Control: the original file keeps its class.
    try Plain.write(genuine, to: place.url)
    try place.run { try Data("next".utf8).write(to: place.url) }
    #expect(try FileDescription(of: place.url).protection == .complete)
  }

  /// A call that names a class does not use the class of the file.
  @Test func aClassThatIsAskedForReplacesAForgedOne() throws {
    let place = try Place()
    try place.run { try Place.secret.write(to: place.url, options: .completeFileProtection) }
    var forged = try Plain.read(place.url)
    forged[Self.classOffset] = Self.none
    try Plain.write(forged, to: place.url)
    try place.run { try Data("next".utf8).write(to: place.url, options: .completeFileProtection) }
    #expect(try FileDescription(of: place.url).protection == .complete)
  }

  /// A file that can be created while locked can also be replaced then, but not read.
  @Test func aFileOfClassBIsReplacedWhileLocked() throws {
    let place = try Place()
    try place.run {
      try Place.secret.write(to: place.url, options: .completeFileProtectionUnlessOpen)
      place.device.lock()
      try Data("next".utf8).write(to: place.url)
    }
    #expect(try FileDescription(of: place.url).protection == .completeUnlessOpen)
  }
}
