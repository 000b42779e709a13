import AtRestCrypto
import AtRestFiles
import Foundation
import Testing

@Suite struct StampRoundTripTests {
  @Test(arguments: StampingMethod.allCases) func aStampHoldsForItsFile(_ method: StampingMethod)
    throws
  {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try method.keys()
    let file = try folder.write("file", "contents")
    let stamp = try FileStamp(decoding: stamper.stamp(file).encoded)
    try verifier.check(file, against: stamp)
    #expect(stamp.contentSize == 8)
    #expect(stamp.form == .detached)
    let other = try folder.write("other", "contentS")
    #expect(stampError { try verifier.check(other, against: stamp) }?.code == .damaged)
  }

  @Test func anEmptyFileIsStamped() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "")
    let stamp = try stamper.stamp(file)
    try verifier.check(file, against: stamp)
    try stamper.appendStamp(to: file)
    #expect(try verifier.checkAppended(file).contentSize == 0)
    #expect(stampError { try verifier.check(file, against: stamp) }?.code == .damaged)
  }

  @Test func manyBuffersAreRead() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    var contents = Data(count: 3 << 20 | 17)
    let file = try folder.write("file", contents)
    let progress = Progress(totalUnitCount: 0)
    let stamp = try stamper.stamp(file, progress: progress)
    #expect(progress.completedUnitCount == Int64(contents.count))
    #expect(progress.totalUnitCount == Int64(contents.count))
    try verifier.check(file, against: stamp)
    contents[2 << 20] = 1
    try contents.write(to: file)
    #expect(stampError { try verifier.check(file, against: stamp) }?.code == .damaged)
  }

  @Test func aPipeIsStampedAsAFile() throws {
    let folder = try StampingFolder()
    let (stamper, verifier, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    func pipe(_ text: String) throws -> FileHandle {
      let pipe = Pipe()
      try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
      try pipe.fileHandleForWriting.close()
      return pipe.fileHandleForReading
    }
    let stamp = try stamper.stamp(contentsOf: pipe("contents"))
    try verifier.check(file, against: stamp)
    try verifier.check(contentsOf: pipe("contents"), against: stamp)
    #expect(
      stampError { try verifier.check(contentsOf: pipe("contentS"), against: stamp) }?.code
        == .damaged)
  }

  @Test func cancellationEndsTheWork() throws {
    let folder = try StampingFolder()
    let (stamper, _, _) = try StampingMethod.hmac.keys()
    let file = try folder.write("file", "contents")
    let progress = Progress(totalUnitCount: 0)
    progress.cancel()
    #expect(stampError { try stamper.stamp(file, progress: progress) }?.code == .canceled)
    #expect(stampError { try stamper.appendStamp(to: file, progress: progress) }?.code == .canceled)
    #expect(
      stampError { try stamper.manifest(of: folder.url, progress: progress) }?.code == .canceled)
    #expect(try folder.names == ["file"])
  }

  @Test func whatIsNoFileIsNotStamped() throws {
    let folder = try StampingFolder()
    let (stamper, _, _) = try StampingMethod.hmac.keys()
    let missing = folder.url.appendingPathComponent("missing")
    #expect(stampError { try stamper.stamp(missing) }?.code == .notFound)
    #expect(stampError { try stamper.appendStamp(to: missing) }?.code == .notFound)
    #expect(stampError { try stamper.stamp(folder.url) }?.code == .invalidArgument)
    let pipe = folder.url.appendingPathComponent("pipe")
    #expect(mkfifo(pipe.path, 0o600) == 0)
    #expect(stampError { try stamper.stamp(pipe) }?.code == .invalidArgument)
  }

  @Test func keysThatCannotStampAreRefused() throws {
    #expect(
      stampError { try FileStamper(hmacKey: SecretBytes.random(count: 15)) }?.code
        == .invalidArgument)
    _ = try FileStamper(hmacKey: SecretBytes.random(count: 16))
    let agreement = try PrivateKey.generate(.x25519).publicKey
    #expect(
      stampError { try FileStampVerifier(publicKey: agreement) }?.code == .invalidArgument)
  }

  @Test func aSignatureOfAnotherKeyIsNotHandedOut() throws {
    let folder = try StampingFolder()
    let file = try folder.write("file", "contents")
    let key = SigningKey(try PrivateKey.generate(.p256))
    let other = try PrivateKey.generate(.p256).publicKey
    let wrong = try FileStamper(publicKey: other) { try key.key.signature(for: $0) }
    #expect(stampError { try wrong.stamp(file) }?.code == .invalidArgument)
    let right = try FileStamper(publicKey: key.key.publicKey) { try key.key.signature(for: $0) }
    _ = try right.stamp(file)
  }
}
