import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct SealTamperingTests {
  /// Checks a file and the bytes of its stamp, as a program would read them.
  private func check(_ verifier: FileSealVerifier, _ file: URL, _ seal: Data) throws {
    try verifier.check(file, against: FileSeal(decoding: seal))
  }

  @Test(arguments: SealingMethod.quick) func everyByteOfADetachedSealCounts(
    _ method: SealingMethod
  ) throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try method.keys()
    let file = try folder.write("file", "contents")
    let seal = try sealer.seal(file).encoded
    try check(verifier, file, seal)
    for offset in seal.indices {
      for bit in [0, 7] {
        let error = sealError { try check(verifier, file, seal.flipping(offset, bit: bit)) }
        #expect(error.map { sealRefusals.contains($0.code) } == true, "byte \(offset)")
      }
    }
    for count in 0..<seal.count {
      let error = sealError { try check(verifier, file, seal.prefix(count)) }
      #expect(error.map { sealRefusals.contains($0.code) } == true, "\(count) bytes")
    }
    #expect(sealError { try check(verifier, file, seal + [0]) }?.code == .damaged)
  }

  @Test func everyByteOfAFileCounts() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    let contents = Data((0..<100).map { UInt8($0) })
    let file = try folder.write("file", contents)
    let seal = try sealer.seal(file)
    for offset in contents.indices {
      try contents.flipping(offset).write(to: file)
      #expect(sealError { try verifier.check(file, against: seal) }?.code == .damaged)
    }
    for changed in [contents.dropLast(), contents + [0], contents.dropFirst(), Data()] {
      try changed.write(to: file)
      #expect(sealError { try verifier.check(file, against: seal) }?.code == .damaged)
    }
    try contents.write(to: file)
    try verifier.check(file, against: seal)
  }

  @Test(arguments: SealingMethod.quick) func everyByteOfASealedFileCounts(
    _ method: SealingMethod
  ) throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try method.keys()
    let file = try folder.write("file", "contents")
    try sealer.appendSeal(to: file)
    let whole = try Data(contentsOf: file)
    try verifier.checkAppended(file)
    for offset in whole.indices {
      try whole.flipping(offset, bit: offset % 8).write(to: file)
      let error = sealError { try verifier.checkAppended(file) }
      #expect(error.map { sealRefusals.contains($0.code) } == true, "byte \(offset)")
    }
    for count in 0..<whole.count {
      try whole.prefix(count).write(to: file)
      let error = sealError { try verifier.checkAppended(file) }
      #expect(error.map { sealRefusals.contains($0.code) } == true, "\(count) bytes")
    }
    for (changed, code) in [
      (whole + [0], AtRestError.Code.notStamped), ([0] + whole, .damaged),
      (Data(whole.dropFirst()), .damaged),
    ] {
      try changed.write(to: file)
      #expect(sealError { try verifier.checkAppended(file) }?.code == code)
    }
    try whole.write(to: file)
    try verifier.checkAppended(file)
  }

  @Test(arguments: SealingMethod.quick) func theReasonIsTold(_ method: SealingMethod) throws {
    let folder = try SealingFolder()
    let (sealer, verifier, other) = try method.keys()
    let file = try folder.write("file", "contents")
    let seal = try sealer.seal(file)

    let wrongKey = sealError { try other.check(file, against: seal) }
    #expect(wrongKey?.code == .authenticationFailed)
    #expect(wrongKey?.message.contains("another key") == true)

    let last = seal.encoded.count - 1
    let edited = try FileSeal(decoding: seal.encoded.flipping(last))
    let changedSeal = sealError { try verifier.check(file, against: edited) }
    #expect(changedSeal?.code == .damaged)
    #expect(changedSeal?.message.contains("The stamp of \(file.path) was modified") == true)

    try folder.write("file", "contentS")
    let changedFile = sealError { try verifier.check(file, against: seal) }
    #expect(changedFile?.code == .damaged)
    #expect(changedFile?.message.contains("\(file.path) was changed after it was stamped") == true)
  }

  @Test func anotherMethodIsAnotherKey() throws {
    let folder = try SealingFolder()
    let file = try folder.write("file", "contents")
    let hmac = try SealingMethod.hmac.keys()
    let signature = try SealingMethod.p256.keys()
    let seals = (try hmac.sealer.seal(file), try signature.sealer.seal(file))
    for error in [
      sealError { try hmac.verifier.check(file, against: seals.1) },
      sealError { try signature.verifier.check(file, against: seals.0) },
    ] { #expect(error?.code == .authenticationFailed) }
  }

  @Test func aSealOfOneFormIsNoneOfAnother() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    let appended = try sealer.appendSeal(to: file)
    let detached = try sealer.seal(try folder.write("same", "contents"))
    #expect(appended.contentDigest == detached.contentDigest)
    let same = folder.url.appendingPathComponent("same")
    #expect(sealError { try verifier.check(same, against: appended) }?.code == .damaged)
    try verifier.check(same, against: detached)
    // A detached stamp in place of an appended one.
    var forged = Data("contents".utf8) + detached.encoded
    forged += withUnsafeBytes(of: UInt32(detached.encoded.count).bigEndian) { Data($0) }
    forged += Data("AtRestSE".utf8)
    try forged.write(to: file)
    #expect(sealError { try verifier.checkAppended(file) }?.code == .damaged)
  }

  @Test func aSealOfAnotherFileIsRefused() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    let one = try folder.write("one", "contents 1")
    let two = try folder.write("two", "contents 2")
    let seal = try sealer.seal(one)
    #expect(sealError { try verifier.check(two, against: seal) }?.code == .damaged)
    try verifier.check(one, against: seal)
  }

  @Test func whatIsNoSealIsSaidToBeNone() throws {
    for bytes in [Data(), Data("hello".utf8), Data(count: 200)] {
      #expect(sealError { try FileSeal(decoding: bytes) }?.code == .notStamped)
    }
    let folder = try SealingFolder()
    let (_, verifier, _) = try SealingMethod.hmac.keys()
    let file = try folder.write("file", "contents without a seal at its end")
    let error = sealError { try verifier.checkAppended(file) }
    #expect(error?.code == .notStamped)
    #expect(error?.refusal == nil)
  }

  @Test func aLaterVersionIsSaidToBeOne() throws {
    let folder = try SealingFolder()
    let (sealer, _, _) = try SealingMethod.hmac.keys()
    let seal = try sealer.seal(try folder.write("file", "contents")).encoded
    // The version's low byte, and the method.
    for offset in [9, 11] {
      var later = seal
      later[offset] = 3
      #expect(sealError { try FileSeal(decoding: later) }?.code == .unsupportedVersion)
    }
  }

  @Test func hostileLengthsAreRefused() throws {
    let folder = try SealingFolder()
    let (sealer, verifier, _) = try SealingMethod.hmac.keys()
    let seal = try sealer.seal(try folder.write("file", "contents")).encoded
    // The lengths of the scheme and of the code.
    for offset in [20, 64] {
      var hostile = seal
      hostile.replaceSubrange(offset..<offset + 4, with: [0xff, 0xff, 0xff, 0xff])
      #expect(sealError { try FileSeal(decoding: hostile) }?.code == .damaged)
    }
    for length: UInt32 in [0, 1, 100, 2048, 2049, .max] {
      var file = Data("contents".utf8)
      file += withUnsafeBytes(of: length.bigEndian) { Data($0) }
      let url = try folder.write("hostile", file + Data("AtRestSE".utf8))
      #expect(sealError { try verifier.checkAppended(url) }?.code == .damaged)
    }
  }
}
