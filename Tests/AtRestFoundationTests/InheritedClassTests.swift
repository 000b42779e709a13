import AtRestCrypto
import AtRestFiles
import AtRestFoundation
import Testing

/// The class that a file has keeps when it is written anew, and whose word that is.
@Suite struct InheritedClassTests {
  /// Where a protected file names its class, and the class *none*.
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
    // Control: the file as it was keeps its class.
    try Plain.write(genuine, to: place.url)
    try place.run { try Data("next".utf8).write(to: place.url) }
    #expect(try FileDescription(of: place.url).protection == .complete)
  }

  /// With a class of its own the call needs no word of the file's.
  @Test func aClassThatIsAskedForReplacesAForgedOne() throws {
    let place = try Place()
    try place.run { try Place.secret.write(to: place.url, options: .completeFileProtection) }
    var forged = try Plain.read(place.url)
    forged[Self.classOffset] = Self.none
    try Plain.write(forged, to: place.url)
    try place.run { try Data("next".utf8).write(to: place.url, options: .completeFileProtection) }
    #expect(try FileDescription(of: place.url).protection == .complete)
  }

  /// A file that can be made while locked can be replaced then, though nobody reads it.
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
