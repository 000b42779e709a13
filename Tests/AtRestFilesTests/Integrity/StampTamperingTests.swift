import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct StampTamperingTests {
  /// Checks a file and the bytes of its stamp, as a program would read them.
  private func check(_ verifier: FileStampVerifier, _ file: URL, _ stamp: Data) throws {
    try verifier.check(file, against: FileStamp(decoding: stamp))
  }

  @Test(arguments: StampingMethod.quick) func everyByteOfADetachedStampCounts(
    _ method: StampingMethod
  ) throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try method.keys()
    let file = try folder.write("file", "contents")
    let stamp = try stamper.stamp(file).encoded
    try check(verifier, file, stamp)
    for offset in stamp.indices {
      for bit in [0, 7] {
        let error = stampError { try check(verifier, file, stamp.flipping(offset, bit: bit)) }
        #expect(error.map { stampRefusals.contains($0.code) } == true, "byte \(offset)")
      }
    }
    for count in 0..<stamp.count {
      let error = stampError { try check(verifier, file, stamp.prefix(count)) }
      #expect(error.map { stampRefusals.contains($0.code) } == true, "\(count) bytes")
    }
    #expect(stampError { try check(verifier, file, stamp + [0]) }?.code == .damaged)
  }

  @Test func everyByteOfAFileCounts() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let contents = Data((0..<100).map { UInt8($0) })
    let file = try folder.write("file", contents)
    let stamp = try stamper.stamp(file)
    for offset in contents.indices {
      try contents.flipping(offset).write(to: file)
      #expect(stampError { try verifier.check(file, against: stamp) }?.code == .damaged)
    }
    for changed in [contents.dropLast(), contents + [0], contents.dropFirst(), Data()] {
      try changed.write(to: file)
      #expect(stampError { try verifier.check(file, against: stamp) }?.code == .damaged)
    }
    try contents.write(to: file)
    try verifier.check(file, against: stamp)
  }

  @Test(arguments: StampingMethod.quick) func everyByteOfAStampedFileCounts(
    _ method: StampingMethod
  ) throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try method.keys()
    let file = try folder.write("file", "contents")
    try stamper.appendStamp(to: file)
    let whole = try Data(contentsOf: file)
    try verifier.checkAppended(file)
    for offset in whole.indices {
      try whole.flipping(offset, bit: offset % 8).write(to: file)
      let error = stampError { try verifier.checkAppended(file) }
      #expect(error.map { stampRefusals.contains($0.code) } == true, "byte \(offset)")
    }
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: file)
      let error = stampError { try verifier.checkAppended(file) }
      #expect(error.map { stampRefusals.contains($0.code) } == true, "\(count) bytes")
    }
    for (changed, code) in [
      (whole + [0], AtRestError.Code.notStamped), ([0] + whole, .damaged),
      (Data(whole.dropFirst()), .damaged),
    ] {
      try changed.write(to: file)
      #expect(stampError { try verifier.checkAppended(file) }?.code == code)
    }
    try whole.write(to: file)
    try verifier.checkAppended(file)
  }

  @Test(arguments: StampingMethod.quick) func theReasonIsTold(_ method: StampingMethod) throws {
    let folder = try StampingFolder()
    let (stamper, verifier, other) = try method.keys()
    let file = try folder.write("file", "contents")
    let stamp = try stamper.stamp(file)

    let wrongKey = stampError { try other.check(file, against: stamp) }
    #expect(wrongKey?.code == .authenticationFailed)
    #expect(wrongKey?.message.contains("another key") == true)

    let last = stamp.encoded.count - 1
    let edited = try FileStamp(decoding: stamp.encoded.flipping(last))
    let changedStamp = stampError { try verifier.check(file, against: edited) }
    #expect(changedStamp?.code == .damaged)
    #expect(changedStamp?.message.contains("The stamp of \(file.path) was modified") == true)

    try folder.write("file", "contentS")
    let changedFile = stampError { try verifier.check(file, against: stamp) }
    #expect(changedFile?.code == .damaged)
    #expect(changedFile?.message.contains("\(file.path) was changed after it was stamped") == true)
  }

  @Test func anotherMethodIsAnotherKey() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", "contents")
    let hmac = try StampingMethod.hmac.keys()
    let signature = try StampingMethod.p256.keys()
    let stamps = (try hmac.stamper.stamp(file), try signature.stamper.stamp(file))
    for error in [
      stampError { try hmac.verifier.check(file, against: stamps.1) },
      stampError { try signature.verifier.check(file, against: stamps.0) },
    ] { #expect(error?.code == .authenticationFailed) }
  }

  @Test func aStampOfOneFormIsNoneOfAnother() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    let appended = try stamper.appendStamp(to: file)
    let detached = try stamper.stamp(try folder.write("same", "contents"))
    #expect(appended.contentDigest == detached.contentDigest)
    let same = folder.url.appendingPathComponent("same")
    #expect(stampError { try verifier.check(same, against: appended) }?.code == .damaged)
    try verifier.check(same, against: detached)
    // A detached stamp in place of an appended one.
    var forged = Data("contents".utf8) + detached.encoded
    forged += withUnsafeBytes(of: UInt32(detached.encoded.count).bigEndian) { Data($0) }
    forged += Data("AtRestSE".utf8)
    try forged.write(to: file)
    #expect(stampError { try verifier.checkAppended(file) }?.code == .damaged)
  }

  @Test func aStampOfAnotherFileIsRefused() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let one = try folder.write("one", "contents 1")
    let two = try folder.write("two", "contents 2")
    let stamp = try stamper.stamp(one)
    #expect(stampError { try verifier.check(two, against: stamp) }?.code == .damaged)
    try verifier.check(one, against: stamp)
  }

  @Test func whatIsNoStampIsSaidToBeNone() throws {
    for bytes in [Data(), Data("hello".utf8), Data(count: 200)] {
      #expect(stampError { try FileStamp(decoding: bytes) }?.code == .notStamped)
    }
    let folder = try StampingFolder()
    let (_, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents without a stamp at its end")
    let error = stampError { try verifier.checkAppended(file) }
    #expect(error?.code == .notStamped)
    #expect(error?.refusal == nil)
  }

  @Test func aLaterVersionIsSaidToBeOne() throws {
    let folder = try StampingFolder()
    let (stamper, _, _) = try StampingMethod.hmac.keys()
    let stamp = try stamper.stamp(try folder.write("file", "contents")).encoded
    // The version's low byte, and the method.
    for offset in [9, 11] {
      var later = stamp
      later[offset] = 3
      #expect(stampError { try FileStamp(decoding: later) }?.code == .unsupportedVersion)
    }
  }

  @Test func hostileLengthsAreRefused() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let stamp = try stamper.stamp(try folder.write("file", "contents")).encoded
    // The lengths of the scheme and of the code.
    for offset in [20, 64] {
      var hostile = stamp
      hostile.replaceSubrange(offset..<offset + 4, with: [0xff, 0xff, 0xff, 0xff])
      #expect(stampError { try FileStamp(decoding: hostile) }?.code == .damaged)
    }
    for length: UInt32 in [0, 1, 100, 2048, 2049, .max] {
      var file = Data("contents".utf8)
      file += withUnsafeBytes(of: length.bigEndian) { Data($0) }
      let url = try folder.write("hostile", file + Data("AtRestSE".utf8))
      #expect(stampError { try verifier.checkAppended(url) }?.code == .damaged)
    }
  }
}
